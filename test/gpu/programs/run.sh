#!/bin/sh
#===- run.sh - builds a bundle, and runs it on the GPUs of this machine ----===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#
#
#   run.sh [--rounds=N] [--launches=N] [--seconds=N] [PART...]
#
# Parts, by default all in this order:
#   build      with CMake, in build/ beside this script
#   programs   each run once or thrice, compared with reference and simulator
#   launches   10 000 launches (--launches) of some, compared ten times on the way
#   graphs     as many replays of a graph
#   faults     peers that fall silent, aborts
#   litmus     each litmus program, 10 000 000 rounds (--rounds)
#   controls   litmus programs with single rules removed
#   sanitizer  some of the programs under compute-sanitizer, if there is one
#   gpu-tests  the tests of the device API and of the host runtime
#
# A part but `build` takes at most about --seconds (400), and is stopped 100 s
# later; what was cut short is said. Tables go to results/PART.md, and are
# printed; $OUT is another folder for them. Exit status: 0 all as expected, 1 not,
# 2 bad usage. The environment may have PROGRAMS, of launches and graphs; SANITIZED
# and TOOLS, of the sanitizer; CMAKE_OPTIONS, such as -DGIN_HOST=ON for threads of
# the host.

rounds=10000000
launches=10000
seconds=400
: "${PROGRAMS:=hello-put all-to-all- ring-all-reduce- moe- halo expert-loop}"
: "${SANITIZED:=hello-put all-to-all- moe- halo}"
: "${TOOLS:=memcheck synccheck racecheck}"
here=$(cd "$(dirname "$0")" && pwd) || exit 2
results=${OUT:-$here}/results
export PATH="$PATH:/usr/local/cuda/bin"
bin=build/bundle
status=0

build() {
  mkdir -p build
  for folder in bundle gpu; do
    case "$folder $CMAKE_OPTIONS" in
      bundle*) project=. ;;
      *-DGIN_HOST=ON*) continue ;; # the project has these tests for threads
      *) project=test/gpu ;;
    esac
    echo "building $folder"
    # shellcheck disable=SC2086 # options, each a word
    { cmake -S "$project" -B "build/$folder" -DCMAKE_BUILD_TYPE=Release $CMAKE_OPTIONS &&
      cmake --build "build/$folder" -j "$(nproc)"; } > "build/$folder.log" 2>&1 || {
      tail -n 40 "build/$folder.log"
      echo "run.sh: building failed; all of it is in $here/build/$folder.log"
      exit 1
    }
  done
}

# begin TITLE: a new table of the part.
begin() {
  machine=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null |
    sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /' | paste -sd ';' -)
  compiler=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/, CUDA \1/p')
  printf '# %s\n\n%s; %s%s.\n' "$1" "$(date +%F)" "${machine:-threads of the host}" "$compiler" \
    > "$results/$part.md"
}

note() { printf '\n%s\n' "$1" >> "$results/$part.md"; }

wrong() {
  status=1
  note "**$1**"
}

# table COMMAND...: adds what the command says in markdown.
table() {
  echo >> "$results/$part.md"
  # Longer than it should take: it hangs.
  timeout -k 10 $((seconds + 100)) "$@" --markdown="$results/rows"
  code=$?
  [ ! -f "$results/rows" ] || cat "$results/rows" >> "$results/$part.md"
  rm -f "$results/rows"
  case $code in
    0) ;;
    77) note "Not run on this machine." ;;
    *) wrong "Exit code $code: $*" ;;
  esac
}

# lines NAME COMMAND...: adds the last line of what it prints.
lines() {
  log=$results/$part-$1.log
  name=$1
  shift
  timeout -k 10 "$seconds" "$@" > "$log" 2>&1
  code=$?
  tail -n 1 "$log"
  note "$name: $(grep -E '^[0-9]+ passed|^skipped|SUMMARY' "$log" | tr -s '= \n' ' ')"
  case $code in
    0 | 77) ;;
    *)
      wrong "Exit code $code: $*; see ${log##*/}"
      grep -v '^pass ' "$log" | tail -n 40
      ;;
  esac
}

runPart() {
  case $part in
    build) build; return ;;
    gpu-tests) ;;
    *)
      [ -x "$bin/gin-programs" ] || {
        echo "run.sh: nothing is built yet; run '$0 build' first" >&2
        exit 2
      }
      ;;
  esac
  case $part in
    programs)
      begin "Emitted programs, compared with the reference and the simulator"
      table $bin/gin-programs data
      ;;
    launches)
      begin "Emitted programs: $launches launches, compared ten times on the way"
      # shellcheck disable=SC2086 # names, each a word
      table $bin/gin-programs data --launches="$launches" --seconds="$seconds" $PROGRAMS
      ;;
    graphs)
      begin "Emitted programs: $launches replays of a graph of one launch"
      # shellcheck disable=SC2086
      table $bin/gin-programs data --launches="$launches" --seconds="$seconds" --graph $PROGRAMS
      ;;
    faults)
      begin "Peers that fall silent, and aborts"
      table $bin/gin-faults data
      ;;
    litmus)
      begin "Litmus programs"
      note "Not played:"
      note "$(cat litmus/left-out.md)"
      table $bin/gin-litmus --rounds="$rounds" --seconds="$seconds"
      ;;
    controls)
      begin "Litmus programs with single rules removed"
      note "Forbidden outcomes are counted. Without waits there must be some."
      # shellcheck disable=SC2013 # words are lines
      for control in $(cat litmus/controls); do
        must=
        [ "$control" = no-waits ] && must=--must-show
        # shellcheck disable=SC2086
        table $bin/gin-litmus-"$control" --rounds="$rounds" --control="$control" $must \
          --seconds=$((seconds / 4))
      done
      ;;
    sanitizer)
      begin "Emitted programs under compute-sanitizer"
      if ! command -v compute-sanitizer > /dev/null; then
        note "There is no compute-sanitizer here."
        return
      fi
      all=$seconds
      seconds=$((all / $(echo "$TOOLS" | wc -w)))
      for tool in $TOOLS; do
        # shellcheck disable=SC2086
        lines "$tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
          $bin/gin-programs data $SANITIZED
      done
      seconds=$all
      ;;
    gpu-tests)
      begin "Tests of the device API and of the host runtime"
      [ -x build/gpu/gin-gpu-tests ] || { note "Not built."; return; }
      lines gin-gpu-tests build/gpu/gin-gpu-tests
      ;;
  esac
  echo
  cat "$results/$part.md"
}

parts=
for word; do
  value=${word#*=}
  case $word in
    --rounds=* | --launches=* | --seconds=*)
      case $value in
        '' | 0* | *[!0-9]*) echo "run.sh: $word: a number above 0 is needed" >&2; exit 2 ;;
      esac
      ;;
  esac
  case $word in
    --rounds=*) rounds=$value ;;
    --launches=*) launches=$value ;;
    --seconds=*) seconds=$value ;;
    build | programs | launches | graphs | faults | litmus | controls | sanitizer | gpu-tests)
      parts="$parts $word" ;;
    *)
      sed -n '6,24s/^# \{0,1\}//p' "$here/${0##*/}" >&2
      exit 2
      ;;
  esac
done
mkdir -p "$results" && results=$(cd "$results" && pwd) && cd "$here" || exit 2
for part in ${parts:-build programs launches graphs faults litmus controls sanitizer gpu-tests}; do
  echo "== $part"
  runPart
done
[ $status = 0 ] || echo "run.sh: something was wrong; see **...** in $results"
exit $status

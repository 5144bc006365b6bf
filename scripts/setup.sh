#!/usr/bin/env bash
#===- setup.sh - install what ginc is built with ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#
#
# Installs the Debian packages that building, testing and running ginc takes,
# after it has said which; does nothing and says nothing when all are there.
#   scripts/setup.sh          install what is missing
#   scripts/setup.sh --check  only say what is missing (exit status 1 if any is)
set -euo pipefail

llvm=22
packages=(
  # Build tools.
  make cmake ninja-build ccache git g++ "clang-$llvm" "lld-$llvm"
  # LLVM and MLIR, with the libraries that their CMake packages look for.
  "llvm-$llvm-dev" "llvm-$llvm-tools" "libmlir-$llvm-dev" "mlir-$llvm-tools"
  zlib1g-dev libzstd-dev libxml2-dev
  # Libraries of the simulator and the driver.
  libboost-context-dev libxtensor-dev nlohmann-json3-dev
  # Tests, benchmarks, sanitizers and checks of style.
  python3 python3-numpy libgtest-dev libbenchmark-dev
  "libclang-rt-$llvm-dev" "clang-format-$llvm" "clang-tidy-$llvm"
)

case "${1-}" in
'' | --check) ;;
*)
  echo "usage: scripts/setup.sh [--check]" >&2
  exit 2
  ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # Elsewhere the packages have other names; CMake says what it does not find.
  echo "setup: no apt-get here; ginc needs the counterparts of these Debian packages:"
  printf '  %s\n' "${packages[*]}" | fold -s -w 78
  exit 0
fi

# dpkg-query fails when it does not know one of the names, and lists the others.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
  "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "setup: ginc needs these Debian packages, which are not installed:"
printf '  %s\n' "${missing[@]}"
[[ "${1-}" != --check ]] || exit 1

root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: run this as root, or install them yourself:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  root=(sudo)
fi

echo "setup: installing them, and what they depend on, with apt-get"
options=(-q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
"${root[@]}" apt-get "${options[@]}" update

for package in "${missing[@]}"; do
  policy=$(apt-cache policy "$package")
  if [[ "$policy" != *"Candidate: "[!\(]* ]]; then
    echo "setup: no package source of this machine has $package." >&2
    if [[ "$package" == *-"$llvm"* ]]; then
      echo "setup: add a source of LLVM $llvm: Debian's security updates carry it for" >&2
      echo "setup: Debian 12, https://apt.llvm.org for other releases; then run this again." >&2
    fi
    exit 1
  fi
done

"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get "${options[@]}" install -y --no-install-recommends "${missing[@]}"
echo "setup: done"

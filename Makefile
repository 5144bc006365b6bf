#===- Makefile - the short commands ----------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===------------------------------------------------------------------------===#
#
# Everything is done by CMake, ninja and ctest; this only spells their commands.
# PRESET picks one of CMakePresets.json; its build folder follows from its name.

PRESET ?= release
PYTHON ?= /usr/bin/python3

BUILD := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
JOBS  := $(shell nproc)
SOURCES = $(shell git ls-files --cached --others --exclude-standard \
                  '*.c' '*.cpp' '*.h' '*.hpp' '*.cu' '*.cuh')

.DEFAULT_GOAL := help
.PHONY: help setup build demo test bench docs format format-check tidy gpu-bundle \
        install

help:
	@echo 'make demo     build ginc, then run every example and check its results'
	@echo 'make test     build, then run all tests'
	@echo 'make build    build the tools into $(BUILD)/bin'
	@echo 'make bench    build and run the benchmarks'
	@echo 'make docs     write the generated reference, docs/reference/'
	@echo 'make gpu-bundle  a folder that runs the examples on a machine with GPUs'
	@echo 'make tidy     run clang-tidy over the C++ sources (about ten minutes)'
	@echo 'make format   format the C++ sources (format-check: only look)'
	@echo 'make install  install into PREFIX (default: /usr/local)'
	@echo 'make setup    install the Debian packages that the others need'
	@echo
	@echo 'PRESET=dev, asan or ci picks another kind of build (now: $(PRESET)).'

setup:
	@scripts/setup.sh

$(BUILD)/.configured: CMakePresets.json | setup
	cmake --preset $(PRESET)
	@touch $@

build: $(BUILD)/.configured
	cmake --build $(BUILD)

demo: $(BUILD)/.configured
	cmake --build $(BUILD) --target ginc
	$(PYTHON) scripts/demo.py $(BUILD)/bin/ginc

test: build
	ctest --preset $(PRESET) --parallel $(JOBS)

bench: $(BUILD)/.configured
	cmake --build $(BUILD) --target bench

docs: $(BUILD)/.configured
	cmake --build $(BUILD) --target docs

format: | setup
	clang-format-22 -i $(SOURCES)

format-check: | setup
	clang-format-22 --dry-run --Werror $(SOURCES)

tidy: build
	run-clang-tidy-22 -quiet -p $(BUILD) -j $(JOBS) \
	  '$(CURDIR)/(dialect|passes|runtime|tools|test|bench)/.*\.cpp$$'

# For a machine with GPUs, nvcc and CMake, and nothing else: FOLDER/run.sh.
gpu-bundle: build
	rm -rf $(BUILD)/gpu-bundle
	$(PYTHON) test/gpu/programs/make_bundle.py $(BUILD)/bin/ginc $(BUILD)/gpu-bundle

install: build
	cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

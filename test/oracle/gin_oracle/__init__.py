#===- __init__.py - the oracle ---------------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""An executable reading of the gin memory model; see README.md."""

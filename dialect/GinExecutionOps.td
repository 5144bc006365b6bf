//===- GinExecutionOps.td - what lowering to the CPU adds --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_EXECUTION_OPS_TD
#define GIN_EXECUTION_OPS_TD

include "dialect/GinOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Gin_ForkOp : Gin_CommOp<"fork", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a function as a number of agents";
  let description = [{
    Calls `body(i, captures…)` for i from 0 to `count` less one, each as an agent of
    its own, and goes on when all have ended. `gin-outline-agents` makes it from
    `gin.specialize`, `scf.forall` and `scf.parallel`; it is not written by hand.
    `names`, if present, names the agents.

    **Constraints:** `body` is a function of type (index, captures…) -> ().

    Effects: reads and writes unnamed memory. Orders what precedes it before its
    agents, and them before what follows. Lowers to `gin_fork`.

    ```mlir
    func.func private @f_role(index, memref<8xf32, #gin.window>, !gin.signals<1>)
    func.func @f(%x: memref<8xf32, #gin.window>, %s: !gin.signals<1>, %n: index) {
      gin.fork @f_role(%x, %s) count %n : memref<8xf32, #gin.window>, !gin.signals<1>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Variadic<AnyType>:$captures, Index:$count,
                       OptionalAttr<StrArrayAttr>:$names);
  let assemblyFormat = [{
    $body `(` $captures `)` `count` $count (`names` $names^)? attr-dict (`:` type($captures)^)?
  }];
}

def Gin_DrainOp : Gin_CommOp<"drain"> {
  let summary = "performs pending loads and stores";
  let description = [{
    Stands before code that touches windows by plain instructions, where the
    executor would otherwise keep element loads and stores of this agent pending.
    `gin-weaken-accesses` inserts it.

    Effects: reads and writes unnamed memory. Orders nothing that program order does
    not. Lowers to `gin_drain`.

    ```mlir
    gin.drain
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // GIN_EXECUTION_OPS_TD

//===- GinKernelOps.td - what the threads of a kernel share -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_KERNEL_OPS_TD
#define GIN_KERNEL_OPS_TD

include "dialect/GinOpBase.td"

def Gin_JoinOp : Gin_SyncOp<"join", [AttrSizedOperandSegments]> {
  let summary = "a barrier of a scope's threads";
  let description = [{
    What each thread of the scope did or acquired before it comes before what all of
    them do after it. `block`: the threads of a block; `grid`: those of all blocks of
    the launch, which run at once. Puts are not completed by it. After an error of
    the launch it waits for nobody.

    `grid role R at F count N`: only blocks F to F + N − 1, which run role R of a
    `gin.specialize`; roles that run at once have different numbers. In `gin.warps`
    only these warps are meant.

    Of the kernel level; `gin-map-to-kernel` inserts it. All threads of the scope must
    execute it.

    **Constraints:** a role only with `grid`, and of a number of at least 0.

    Effects: reads and writes unnamed memory. Lowers to `gin::join`.

    ```mlir
    gin.join block
    gin.join grid
    gin.join grid role 1 at %me count %n
    ```
  }];
  let arguments = (ins Gin_ScopeAttr:$scope, OptionalAttr<I64Attr>:$role,
                       Optional<Index>:$firstBlock, Optional<Index>:$numBlocks);
  let assemblyFormat = [{
    custom<Scope>($scope) (`role` $role^ `at` $firstBlock `count` $numBlocks)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::gin::Scope":$scope), [{
    build($_builder, $_state, scope, ::mlir::IntegerAttr(), ::mlir::Value(), ::mlir::Value());
  }]>];
  let hasVerifier = 1;
}

def Gin_BroadcastOp : Gin_SyncOp<"broadcast", [AttrSizedOperandSegments,
                                              AllTypesMatch<["value", "result"]>]> {
  let summary = "a value of a scope's first thread for all of them";
  let description = [{
    The first thread's `value` in all threads of the scope; what the others pass does
    not matter. Also joins the scope as `gin.join` does.

    **Constraints:** an integer of 1 to 64 bits, an index, or a float of at most 64
    bits; a role as for `gin.join`.

    Effects: reads and writes unnamed memory. Lowers to `gin::broadcast`.

    ```mlir
    %count_everywhere = gin.broadcast %count block : i32
    ```
  }];
  let arguments = (ins Gin_Scalar:$value, Gin_ScopeAttr:$scope, OptionalAttr<I64Attr>:$role,
                       Optional<Index>:$firstBlock, Optional<Index>:$numBlocks);
  let results = (outs Gin_Scalar:$result);
  let assemblyFormat = [{
    $value custom<Scope>($scope) (`role` $role^ `at` $firstBlock `count` $numBlocks)?
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def Gin_AsyncFenceOp : Gin_SyncOp<"async_fence"> {
  let summary = "orders accesses before later asynchronous copies";
  let description = [{
    What this thread did or acquired comes before the asynchronous copies (TMA) that it
    starts later: stands after a wait for what such copies read, in a tile loop's
    `acquire`. Nothing where copies are not asynchronous.

    Of the kernel level; `gin-map-to-kernel` inserts it.

    Effects: reads and writes unnamed memory. Lowers to `gin::fenceAsync`.

    ```mlir
    gin.async_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Gin_WarpsOp : Gin_Op<"warps", [NoRegionArguments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::gin::YieldOp">]> {
  let summary = "what some warps of each block do";
  let description = [{
    Warps `first` to `first + count − 1` of each block run the region, a role of a
    `gin.specialize`, beside other warps with theirs. In it the scope `block` means
    these warps of a block, and a `grid` with a role means them in all blocks. The
    named barrier `barrier` of a block is theirs. After an error the warps leave the
    region together; a `gin.join block` comes after all roles.

    Of the kernel level; `gin-map-to-kernel` makes it.

    **Constraints:** at least one warp; `barrier` from 1 to 15; not inside another one.

    Effects: those of its ops. Lowers to a function of C++.

    ```mlir
    gin.warps "send" at 0 count 2 barrier 1 {
      gin.wait %s[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<1>
    }
    gin.join block
    ```
  }];
  let arguments = (ins StrAttr:$name, ConfinedAttr<I64Attr, [IntNonNegative]>:$first,
                       ConfinedAttr<I64Attr, [IntPositive]>:$count,
                       ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<15>]>:$barrier);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `at` $first `count` $count `barrier` $barrier $body attr-dict
  }];
  let hasVerifier = 1;
}

#endif // GIN_KERNEL_OPS_TD

//===- GinAttrs.td - attributes of the gin dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_ATTRS_TD
#define GIN_ATTRS_TD

include "dialect/GinDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Gin_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Gin_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Gin_WindowAttr : Gin_Attr<"Window", "window"> {
  let summary = "memory space of windows";
  let description = [{
    Memory that every rank of a team registers, the calling rank's part of it. The
    allocated pointer of the memref's descriptor points at the window's record
    (bases, sizes, rights), so that identity survives `subview`, `select`, loop
    arguments and calls.

    ```mlir
    memref<?x128xf32, #gin.window>
    ```
  }];
}

def Gin_PeerAttr : Gin_Attr<"Peer", "peer"> {
  let summary = "memory space of peer views";
  let description = [{
    Another rank's part of a window, reachable by loads and stores (LSA). Made by
    `gin.peer_view` alone.

    ```mlir
    memref<?x128xf32, #gin.peer>
    ```
  }];
}

def Gin_GridAttr : Gin_Attr<"Grid", "grid"> {
  let summary = "the world's ranks arranged as a grid";
  let description = [{
    Ranks in row-major order: the last coordinate runs fastest. `?` extents are
    chosen at launch so that the product is the number of ranks, as equal as
    possible and larger ones first (the rule of MPI_Dims_create), unless the user
    gives them. As a team it has all ranks.

    ```mlir
    #gin.grid<?x?>
    #gin.grid<2x?>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool isStatic() const;
    /// The number of ranks; only if static.
    int64_t getNumRanks() const;
  }];
}

def Gin_TeamKind : I32EnumAttr<"TeamKind", "which ranks a team has", [
    I32EnumAttrCase<"World", 0, "world">, I32EnumAttrCase<"Lsa", 1, "lsa">,
    I32EnumAttrCase<"Rail", 2, "rail">, I32EnumAttrCase<"Axis", 4, "axis">]> {
  let cppNamespace = "::gin";
  let genSpecializedAttr = 0;
}

def Gin_TeamAttr : Gin_Attr<"Team", "team"> {
  let summary = "a set of ranks, with ranks of its own";
  let description = [{
    `world`: all ranks. `lsa`: those whose memory can be loaded and stored
    directly. `rail`: those with the same index in their LSA teams. `row` and
    `column` of a two-dimensional grid, or `axis N of` any grid: the ranks that
    differ in that one coordinate only, numbered by it (a row's ranks differ in
    their column, so `row` is axis 1 and `column` axis 0).

    Peers of an op with a team are relative to the team. Ops write their team without
    the attribute's name: `team lsa`, `team row of ?x?`; a grid is `team grid ?x?`.

    ```mlir
    #gin.team<lsa>
    #gin.team<row of ?x?>
    #gin.team<axis 2 of 2x?x4>
    ```
  }];
  let parameters = (ins "TeamKind":$kind, "int64_t":$axis, "GridAttr":$grid);
  let builders = [
    AttrBuilder<(ins "TeamKind":$kind), [{
      return $_get($_ctxt, kind, 0, GridAttr());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// What an op accepts as its team; absent means the world.
def Gin_AnyTeam : AnyAttrOf<[Gin_TeamAttr, Gin_GridAttr],
                            "a team (#gin.team) or a grid (#gin.grid)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Gin_Rights : I32BitEnumAttr<"Rights", "what other ranks may do with a window", [
    I32BitEnumAttrCaseNone<"None", "none">, I32BitEnumAttrCaseBit<"Read", 0, "read">,
    I32BitEnumAttrCaseBit<"Write", 1, "write">, I32BitEnumAttrCaseBit<"Atomic", 2, "atomic">]> {
  let cppNamespace = "::gin";
  let separator = ", ";
  let genSpecializedAttr = 0;
}

def Gin_RightsAttr : EnumAttr<Gin_Dialect, Gin_Rights, "rights"> {
  let summary = "what other ranks may do with a window";
  let description = [{
    `read`: gets, and loads through peer views. `write`: puts, and stores through
    peer views. `atomic`: accumulating puts and atomic additions.

    ```mlir
    func.func @f(%w: memref<8xf32, #gin.window> {gin.rights = #gin.rights<read>}) {
      return
    }
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Gin_ReduceKind : I32EnumAttr<"ReduceKind", "how a collective combines elements", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]> {
  let cppNamespace = "::gin";
  let genSpecializedAttr = 0;
}

def Gin_ReduceKindAttr : EnumAttr<Gin_Dialect, Gin_ReduceKind, "reduce"> {
  let summary = "how a collective combines elements";
  let description = [{
    `sum`, `prod`, `max` or `min`. Collectives print the bare keyword.

    ```mlir
    #gin.reduce<sum>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Gin_Scope : I32EnumAttr<"Scope", "which threads of a kernel act together", [
    I32EnumAttrCase<"Thread", 0, "thread">, I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Block", 2, "block">, I32EnumAttrCase<"Grid", 3, "grid">]> {
  let cppNamespace = "::gin";
  let genSpecializedAttr = 0;
}

def Gin_ScopeAttr : EnumAttr<Gin_Dialect, Gin_Scope, "scope"> {
  let summary = "which threads of a kernel act together";
  let description = [{
    `thread`, `warp`, `block`, or `grid`: all blocks of the launch. As `gin.scope` on an
    op of the kernel level it says who performs the op together: all threads of the
    scope reach it together, with equal operands, and are one agent.

    ```mlir
    gin.wait %s[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<8>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // GIN_ATTRS_TD

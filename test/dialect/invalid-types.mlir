// RUN: gin-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a bank of signals needs at least one extent}}
func.func private @f(!gin.signals<>)

// -----

// expected-error@+1 {{extents of a bank of signals are at least 1, but one is 0}}
func.func private @f(!gin.signals<4x0>)

// -----

// expected-error@+1 {{a bank of signals has at most 2147483648 slots}}
func.func private @f(!gin.signals<65536x65536>)

// -----

// expected-error@+1 {{a bank of signals has at most 2147483648 slots}}
func.func private @f(!gin.signals<4294967296x?x4294967296>)

// -----

// expected-error@+1 {{expected '<'}}
func.func private @f(!gin.signals)

// -----

// expected-error@+1 {{invalid dimension}}
func.func private @f(!gin.signals<4x>)

// -----

// expected-error@+1 {{unknown  type `bank` in dialect `gin`}}
func.func private @f(!gin.bank<4>)

// -----

// expected-error@+1 {{unknown attribute `windows` in dialect `gin`}}
func.func private @f(memref<4xf32, #gin.windows>)

// -----

// expected-error@+1 {{a grid needs at least one extent}}
func.func private @f() attributes {a = #gin.grid<>}

// -----

// expected-error@+1 {{extents of a grid are at least 1, but one is 0}}
func.func private @f() attributes {a = #gin.grid<2x0>}

// -----

// expected-error@+1 {{a grid has at most 8 dimensions, but this one has 9}}
func.func private @f() attributes {a = #gin.grid<1x1x1x1x1x1x1x1x?>}

// -----

// expected-error@+1 {{a grid has at most 2147483648 ranks}}
func.func private @f() attributes {a = #gin.grid<65536x65536>}

// -----

// expected-error@+1 {{expected world, lsa, rail, row, column, axis or grid}}
func.func private @f() attributes {a = #gin.team<node>}

// -----

// expected-error@+1 {{expected world, lsa, rail, row, column, axis or grid}}
func.func private @f() attributes {a = #gin.team<>}

// -----

// expected-error@+1 {{a grid is written #gin.grid<...>}}
func.func private @f() attributes {a = #gin.team<grid 2x2>}

// -----

// expected-error@+1 {{a row needs a grid of two dimensions; write `axis N of` for a grid of 3}}
func.func private @f() attributes {a = #gin.team<row of ?x?x?>}

// -----

// expected-error@+1 {{a column needs a grid of two dimensions; write `axis N of` for a grid of 1}}
func.func private @f() attributes {a = #gin.team<column of ?>}

// -----

// expected-error@+1 {{axis 3 is not one of a grid of 3 dimensions}}
func.func private @f() attributes {a = #gin.team<axis 3 of ?x?x?>}

// -----

// expected-error@+1 {{axis -1 is not one of a grid of 2 dimensions}}
func.func private @f() attributes {a = #gin.team<axis -1 of ?x?>}

// -----

// expected-error@+1 {{expected 'of'}}
func.func private @f() attributes {a = #gin.team<row ?x?>}

// -----

// expected-error@+1 {{extents of a grid are at least 1, but one is 0}}
func.func private @f() attributes {a = #gin.team<row of 0x?>}

// -----

// expected-error@+2 {{expected ::gin::Rights to be one of: none, read, write, atomic}}
// expected-error@+1 {{failed to parse Gin_RightsAttr parameter 'value' which is to be a `::gin::Rights`}}
func.func private @f() attributes {a = #gin.rights<execute>}

// -----

// expected-error@+2 {{expected ::gin::ReduceKind to be one of: sum, prod, max, min}}
// expected-error@+1 {{failed to parse Gin_ReduceKindAttr parameter 'value' which is to be a `::gin::ReduceKind`}}
func.func private @f() attributes {a = #gin.reduce<mean>}

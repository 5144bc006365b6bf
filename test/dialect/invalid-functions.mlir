// Attributes of the dialect on functions, their arguments, and other ops.

// RUN: gin-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'gin.nmae' is not an attribute of arguments; there are gin.name, gin.source, gin.scratch, gin.sizes and gin.rights}}
func.func private @f(index {gin.nmae = "k"})

// -----

// expected-error@+1 {{'gin.name' of argument 0 must be a string that is not empty}}
func.func private @f(index {gin.name})

// -----

// expected-error@+1 {{'gin.name' of argument 1 must be a string that is not empty}}
func.func private @f(index, index {gin.name = ""})

// -----

// expected-error@+1 {{arguments 0 and 2 have one name, "k"; tools tell arguments apart by it}}
func.func private @f(index {gin.name = "k"}, f32, index {gin.name = "k"})

// -----

// expected-error@+1 {{'gin.source' of argument 0 takes no value}}
func.func private @f(memref<4xf32, #gin.window> {gin.source = true})

// -----

// expected-error@+1 {{'gin.source' stands on windows only, but argument 0 is 'memref<4xf32>'}}
func.func private @f(memref<4xf32> {gin.source})

// -----

// expected-error@+1 {{'gin.scratch' stands on windows only, but argument 0 is '!gin.signals<4>'}}
func.func private @f(!gin.signals<4> {gin.scratch})

// -----

// expected-error@+1 {{'gin.rights' stands on windows only, but argument 0 is 'memref<4xf32, #gin.peer>'}}
func.func private @f(memref<4xf32, #gin.peer> {gin.rights = #gin.rights<read>})

// -----

// expected-error@+1 {{'gin.rights' of argument 0 must be a #gin.rights<...>}}
func.func private @f(memref<4xf32, #gin.window> {gin.rights = "read"})

// -----

// expected-error@+1 {{argument 0 has both 'gin.source' and 'gin.rights', but nobody else touches a source}}
func.func private @f(memref<4xf32, #gin.window> {gin.source, gin.rights = #gin.rights<read>})

// -----

// expected-error@+1 {{scratch argument 0 has dynamic sizes; give 'gin.sizes', from which the launcher computes them}}
func.func private @f(memref<?xf32, #gin.window> {gin.scratch})

// -----

// expected-error@+1 {{'gin.sizes' of argument 0 stands on 'index', but is for banks of signals and windows with 'gin.scratch'}}
func.func private @f(index {gin.sizes = affine_map<()[r] -> (r)>})

// -----

// expected-error@+1 {{'gin.sizes' of argument 0 stands on 'memref<?xf32, #gin.window>', but is for banks of signals and windows with 'gin.scratch'}}
func.func private @f(memref<?xf32, #gin.window> {gin.sizes = affine_map<()[r] -> (r)>})

// -----

// expected-error@+1 {{'gin.sizes' of argument 0 must be an affine map}}
func.func private @f(!gin.signals<?> {gin.sizes = [4]})

// -----

// expected-error@+1 {{'gin.sizes' of argument 0 takes symbols only, affine_map<()[ranks, ...] -> (...)>}}
func.func private @f(!gin.signals<?> {gin.sizes = affine_map<(r) -> (r)>})

// -----

// expected-error@+1 {{'gin.sizes' of argument 0 has 1 results, but '!gin.signals<?x?>' has 2 dynamic sizes}}
func.func private @f(!gin.signals<?x?> {gin.sizes = affine_map<()[r] -> (r)>})

// -----

// expected-error@+1 {{'gin.sizes' of argument 2 takes 4 symbols, but there are only the number of ranks and the 2 dynamic sizes of the arguments that are not scratch}}
func.func private @f(memref<?x4x?xf32, #gin.window>, memref<?xf32, #gin.window> {gin.scratch, gin.sizes = affine_map<()[r] -> (r)>},
                     !gin.signals<?> {gin.sizes = affine_map<()[r, a, b, c] -> (c)>})

// -----

// expected-error@+1 {{result 0 has 'gin.name', but gin has no attributes for results}}
func.func private @f() -> (index {gin.name = "x"})

// -----

// expected-error@+1 {{'gin.run' must be a dictionary on a function}}
func.func @f() attributes {gin.run = "x"} {
  return
}

// -----

// expected-error@+1 {{'gin.run' must be a dictionary on a function}}
module attributes {gin.run = {}} {
}

// -----

// expected-error@+1 {{'gin.scratch' is not an attribute that the gin dialect has on operations; on functions there are gin.run and gin.litmus}}
func.func @f() attributes {gin.scratch} {
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %i: index) {
  // expected-error@+1 {{'gin.weak' takes no value and stands on memref.load and memref.store}}
  %v = memref.load %x[%i] {gin.weak = 1} : memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.weak' takes no value and stands on memref.load and memref.store}}
  memref.copy %x, %x {gin.weak} : memref<4xf32, #gin.window> to memref<4xf32, #gin.window>
  return
}

// -----

// expected-error@+1 {{'func.func' op 'gin.least_blocks' is a number of blocks, at least 1, on a kernel}}
func.func @f() attributes {gin.least_blocks = 0} {
  return
}

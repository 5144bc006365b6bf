// RUN: gin-opt %s --split-input-file --verify-diagnostics

func.func @f() {
  // expected-error@+1 {{expected world, lsa, rail, row, column, axis or grid}}
  %r = gin.rank team mine
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a team (#gin.team<...>) or a grid (#gin.grid<...>), but got 4 : i64}}
  %r = gin.rank team 4
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{attribute 'team' failed to satisfy constraint: a team (#gin.team) or a grid (#gin.grid)}}
  %r = "gin.rank"() {team = 4 : i64} : () -> index
  return
}

// -----

func.func @f(%w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{the types behind this attribute are taken for its own; write `team lsa`, `team row of ?x?` or `team grid ?x?` without `#gin`}}
  %r = gin.window_dim %w, 0 on 0 team #gin.team<lsa> : memref<4xf32, #gin.window>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected a value of type index or an integer literal}}
  %r = gin.neighbor right
  return
}

// -----

func.func @f(%k: index) {
  // expected-error@+1 {{'gin.neighbor' op needs its distance either as a value or as a literal}}
  %r = "gin.neighbor"(%k) {static_distance = 1 : i64} : (index) -> index
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.neighbor' op needs its distance either as a value or as a literal}}
  %r = "gin.neighbor"() : () -> index
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%k: i32) {
  // expected-error@+1 {{use of value '%k' expects different type than prior uses: 'index' vs 'i32'}}
  %r = gin.neighbor %k
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{operation defines 2 results but was provided 3 to bind}}
  %a, %b, %c = gin.coords #gin.grid<?x?>
  return
}

// -----

func.func @f() {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{'gin.coords' op inferred type(s) 'index', 'index' are incompatible with return type(s) of operation 'index'}}
  %a = "gin.coords"() {grid = #gin.grid<?x?>} : () -> index
  return
}

// -----

func.func @f(%w: memref<4xf32>) {
  // expected-error@+1 {{'gin.window_dim' op operand #0 must be a whole window (a memref in #gin.window with the identity layout; name a part by offsets, not by a subview), but got 'memref<4xf32>'}}
  %d = gin.window_dim %w, 0 on 0 : memref<4xf32>
  return
}

// -----

func.func @f(%w: memref<4x?xf32, #gin.window>) {
  // expected-error@+1 {{'gin.window_dim' op dimension 2 is not one of the window 'memref<4x?xf32, #gin.window>'}}
  %d = gin.window_dim %w, 2 on 0 : memref<4x?xf32, #gin.window>
  return
}

// -----

func.func @f(%w: memref<4x?xf32, #gin.window>) {
  // expected-error@+1 {{'gin.window_dim' op dimension -1 is not one of the window 'memref<4x?xf32, #gin.window>'}}
  %d = gin.window_dim %w, -1 on 0 : memref<4x?xf32, #gin.window>
  return
}

// -----

func.func @f(%w: memref<?xf32, #gin.window>) {
  // expected-error@+1 {{'gin.window_dim' op peer -1 is negative; ranks count from 0}}
  %d = gin.window_dim %w, 0 on -1 : memref<?xf32, #gin.window>
  return
}

// -----

func.func @f(%w: memref<?xf32, #gin.window>) {
  // expected-error@+1 {{'gin.window_dim' op peer 6 is not in the team #gin.grid<2x3> of 6 ranks; peers are relative to the team}}
  %d = gin.window_dim %w, 0 on 6 team grid 2x3 : memref<?xf32, #gin.window>
  return
}

// -----

func.func @f(%w: memref<?xf32, #gin.window>, %p: index) {
  // expected-error@+1 {{'gin.window_dim' op needs its peer either as a value or as a literal}}
  %d = "gin.window_dim"(%w, %p) {dim = 0 : i64, static_peer = 0 : i64} : (memref<?xf32, #gin.window>, index) -> index
  return
}

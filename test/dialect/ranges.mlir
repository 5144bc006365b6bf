// What upstream's integer-range analysis knows of ranks: they count from 0, there
// is at least one and at most 2^31, and static extents bound them.

// RUN: gin-opt %s --int-range-optimizations | FileCheck %s

// CHECK-LABEL: func.func @world(
func.func @world(%w: memref<?xf32, #gin.window>, %s: !gin.signals<1>, %p: index, %i: index, %k: index) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %max = arith.constant 2147483648 : index
  %me = gin.rank
  %n = gin.num_ranks
  %q = gin.neighbor %k
  %rows = gin.window_dim %w, 0 on %p : memref<?xf32, #gin.window>
  %launch = gin.launch
  %count = gin.read %s[0] : !gin.signals<1>
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[N:.*]] = gin.num_ranks
  %0 = arith.cmpi sge, %me, %c0 : index
  %1 = arith.cmpi slt, %me, %max : index
  %2 = arith.cmpi sge, %n, %c1 : index
  %3 = arith.cmpi sle, %n, %max : index
  %4 = arith.cmpi sge, %q, %c0 : index
  %5 = arith.cmpi sge, %rows, %c0 : index
  %6 = arith.cmpi sge, %launch, %c0 : index
  %7 = arith.cmpi sge, %count, %c0 : index
  // It is not known that there is more than one rank.
  // CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[N]], %{{.*}} : index
  %8 = arith.cmpi sgt, %n, %c1 : index
  // CHECK: return %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[MORE]]
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i1, i1, i1, i1, i1, i1, i1, i1, i1
}

// CHECK-LABEL: func.func @grid(
func.func @grid(%k: index) -> (i1, i1, i1, i1, index, index, index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[Q:.*]] = gin.neighbor %{{.*}} team row of ?x4
  // CHECK-DAG: %[[I:.*]], %[[J:.*]] = gin.coords #gin.grid<?x4>
  %me = gin.rank team grid 2x4
  %q = gin.neighbor %k team row of ?x4
  %i, %j = gin.coords #gin.grid<?x4>
  %row, %only = gin.coords #gin.grid<?x1>
  %0 = arith.cmpi slt, %me, %c8 : index
  %1 = arith.cmpi slt, %q, %c4 : index
  %2 = arith.cmpi slt, %j, %c4 : index
  // A modulo that does nothing goes.
  %same = arith.remui %q, %c4 : index
  // CHECK: %[[UNKNOWN:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
  %3 = arith.cmpi slt, %i, %c4 : index
  %rest = arith.remui %j, %c4 : index
  // CHECK: return %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[UNKNOWN]], %[[Q]], %[[J]], %[[C0]]
  return %0, %1, %2, %3, %same, %rest, %only : i1, i1, i1, i1, index, index, index
}

// Roles and loops are looked into.
// CHECK-LABEL: func.func @nested(
func.func @nested(%s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[TRUE:.*]] = arith.constant true
  %n = gin.num_ranks
  gin.specialize {
    role "a" {
      scf.for %i = %c0 to %n step %c1 {
        %there = arith.cmpi sge, %i, %c0 : index
        // CHECK: scf.if %[[TRUE]]
        scf.if %there {
          gin.signal %s[0] on %i : !gin.signals<1>
        }
      }
    }
  }
  return
}

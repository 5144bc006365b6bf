// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-map-to-kernel

func.func @groups(%m: memref<?xf32>, %n: index, %v: f32) {
  // expected-error @+1 {{'scf.forall' op is mapped to #gpu.warpgroup<x>; map it to #gpu.block, #gpu.warp or #gpu.thread, or leave the mapping out}}
  scf.forall (%i) in (%n) {
    memref.store %v, %m[%i] : memref<?xf32>
  } {mapping = [#gpu.warpgroup<x>]}
  return
}

// -----

func.func @mixed(%m: memref<?xf32>, %n: index, %v: f32) {
  // expected-error @+1 {{'scf.forall' op is mapped to #gpu.block<x> and #gpu.thread<x>; map all of its dimensions to the same kind, and nest loops for more than one}}
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %v, %m[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>, #gpu.thread<x>]}
  return
}

// -----

func.func @blocks(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{'scf.forall' op is mapped to blocks, and stands where a single block goes on; map the loop around it to something larger, or this one to something smaller}}
    scf.forall (%j) in (%n) {
      memref.store %v, %m[%j] : memref<?xf32>
    } {mapping = [#gpu.block<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @alone(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{'scf.forall' op is mapped to #gpu.thread<x> inside a loop that a thread runs alone; map that to something larger, or leave this mapping out}}
    scf.forall (%j) in (%n) {
      memref.store %v, %m[%j] : memref<?xf32>
    } {mapping = [#gpu.thread<x>]}
  }
  return
}

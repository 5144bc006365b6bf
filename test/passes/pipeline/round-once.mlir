// RUN: rm -rf %t && mkdir %t && %python %S/Inputs/round_once.py --write %t
// RUN: ginc run %s --ranks 1 --dims n=8192 --dims m=4096 --arg i=%t/i.npy --arg l=%t/l.npy --arg d=%t/d.npy \
// RUN:   | FileCheck %s

// Conversions to the narrow floats round once: of integers and of f64, most of them
// next to the middle of two neighbours, where rounding by way of f32 would show.

// CHECK: {{.*}} match{{.*}} round_once.py

!ints = memref<?xi32>
!longs = memref<?xi64>
!doubles = memref<?xf64>

func.func @round(%i: !ints, %l: !longs, %d: !doubles,
                 %si_bf16: memref<?xbf16>, %ui_bf16: memref<?xbf16>,
                 %sl_bf16: memref<?xbf16>, %ul_bf16: memref<?xbf16>, %odd_bf16: memref<?xbf16>,
                 %si_f16: memref<?xf16>, %sl_f16: memref<?xf16>, %ul_f16: memref<?xf16>,
                 %sl_e4m3: memref<?xf8E4M3FN>, %ul_e5m2: memref<?xf8E5M2>,
                 %d_bf16: memref<?xbf16>, %d_f16: memref<?xf16>, %d_e4m3: memref<?xf8E4M3FN>,
                 %d_e5m2: memref<?xf8E5M2>)
    attributes {gin.run = {
      dims = {i = "n", l = "m", d = "m", si_bf16 = "n", ui_bf16 = "n", sl_bf16 = "m", ul_bf16 = "m",
              odd_bf16 = "m", si_f16 = "n", sl_f16 = "m", ul_f16 = "m", sl_e4m3 = "m", ul_e5m2 = "m",
              d_bf16 = "m", d_f16 = "m", d_e4m3 = "m", d_e5m2 = "m"},
      reference = "Inputs/round_once.py"}} {
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>, affine_map<(k) -> (k)>],
                  iterator_types = ["parallel"]}
      ins(%i : !ints) outs(%si_bf16, %ui_bf16, %si_f16 : memref<?xbf16>, memref<?xbf16>, memref<?xf16>) {
  ^bb0(%v: i32, %0: bf16, %1: bf16, %2: f16):
    %3 = arith.sitofp %v : i32 to bf16
    %4 = arith.uitofp %v : i32 to bf16
    %5 = arith.sitofp %v : i32 to f16
    linalg.yield %3, %4, %5 : bf16, bf16, f16
  }
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>, affine_map<(k) -> (k)>],
                  iterator_types = ["parallel"]}
      ins(%l : !longs)
      outs(%sl_bf16, %ul_bf16, %odd_bf16, %sl_f16, %ul_f16, %sl_e4m3, %ul_e5m2
           : memref<?xbf16>, memref<?xbf16>, memref<?xbf16>, memref<?xf16>, memref<?xf16>,
             memref<?xf8E4M3FN>, memref<?xf8E5M2>) {
  ^bb0(%v: i64, %0: bf16, %1: bf16, %2: bf16, %3: f16, %4: f16, %5: f8E4M3FN, %6: f8E5M2):
    %7 = arith.sitofp %v : i64 to bf16
    %8 = arith.uitofp %v : i64 to bf16
    %9 = arith.trunci %v : i64 to i57
    %10 = arith.sitofp %9 : i57 to bf16
    %11 = arith.sitofp %v : i64 to f16
    %12 = arith.uitofp %v : i64 to f16
    %13 = arith.sitofp %v : i64 to f8E4M3FN
    %14 = arith.uitofp %v : i64 to f8E5M2
    linalg.yield %7, %8, %10, %11, %12, %13, %14
      : bf16, bf16, bf16, f16, f16, f8E4M3FN, f8E5M2
  }
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                   affine_map<(k) -> (k)>],
                  iterator_types = ["parallel"]}
      ins(%d : !doubles)
      outs(%d_bf16, %d_f16, %d_e4m3, %d_e5m2
           : memref<?xbf16>, memref<?xf16>, memref<?xf8E4M3FN>, memref<?xf8E5M2>) {
  ^bb0(%v: f64, %0: bf16, %1: f16, %2: f8E4M3FN, %3: f8E5M2):
    %4 = arith.truncf %v : f64 to bf16
    %5 = arith.truncf %v : f64 to f16
    %6 = arith.truncf %v : f64 to f8E4M3FN
    %7 = arith.truncf %v : f64 to f8E5M2
    linalg.yield %4, %5, %6, %7 : bf16, f16, f8E4M3FN, f8E5M2
  }
  return
}

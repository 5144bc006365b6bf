//===- number-classes.mlir - math on numbers of all classes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 2 --seed 1

// %classes has four bits for each type: is NaN, is infinite, is finite, is normal.
// They and what follows them go to the neighbour on the right.

!words = memref<512xi32, #gin.window>
!floats = memref<512xf32, #gin.window>

func.func private @class_f32(%value: f32) -> i32 {
  %nan = math.isnan %value : f32
  %infinite = math.isinf %value : f32
  %finite = math.isfinite %value : f32
  %normal = math.isnormal %value : f32
  %class = func.call @class(%nan, %infinite, %finite, %normal) : (i1, i1, i1, i1) -> i32
  return %class : i32
}
func.func private @class_f16(%value: f16) -> i32 {
  %nan = math.isnan %value : f16
  %infinite = math.isinf %value : f16
  %finite = math.isfinite %value : f16
  %normal = math.isnormal %value : f16
  %class = func.call @class(%nan, %infinite, %finite, %normal) : (i1, i1, i1, i1) -> i32
  return %class : i32
}
func.func private @class_bf16(%value: bf16) -> i32 {
  %nan = math.isnan %value : bf16
  %infinite = math.isinf %value : bf16
  %finite = math.isfinite %value : bf16
  %normal = math.isnormal %value : bf16
  %class = func.call @class(%nan, %infinite, %finite, %normal) : (i1, i1, i1, i1) -> i32
  return %class : i32
}
func.func private @class_e4m3(%value: f8E4M3FN) -> i32 {
  %nan = math.isnan %value : f8E4M3FN
  %infinite = math.isinf %value : f8E4M3FN
  %finite = math.isfinite %value : f8E4M3FN
  %normal = math.isnormal %value : f8E4M3FN
  %class = func.call @class(%nan, %infinite, %finite, %normal) : (i1, i1, i1, i1) -> i32
  return %class : i32
}
func.func private @class(%nan: i1, %infinite: i1, %finite: i1, %normal: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %bit0 = arith.extui %nan : i1 to i32
  %is1 = arith.extui %infinite : i1 to i32
  %bit1 = arith.shli %is1, %c1 : i32
  %is2 = arith.extui %finite : i1 to i32
  %bit2 = arith.shli %is2, %c2 : i32
  %is3 = arith.extui %normal : i1 to i32
  %bit3 = arith.shli %is3, %c3 : i32
  %low = arith.ori %bit0, %bit1 : i32
  %high = arith.ori %bit2, %bit3 : i32
  %class = arith.ori %low, %high : i32
  return %class : i32
}

func.func @number_classes(%classes: !words, %carries: !words, %whole: !words,
                   %powers: !floats, %waves: !floats, %fused: !floats,
                   %classes_out: !words, %carries_out: !words, %whole_out: !words,
                   %powers_out: !floats, %waves_out: !floats, %fused_out: !floats,
                   %arrived: !gin.signals<1>)
    attributes {gin.run = {reference = "number-classes.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c512 = arith.constant 512 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %thirteen = arith.constant 13 : i32
  %half = arith.constant 256 : i32
  %step16 = arith.constant 7 : i32
  %step32 = arith.constant 23 : i32
  %top = arith.constant 55 : index
  %scale = arith.constant 0.001953125 : f32
  %unit = arith.constant 1.0 : f32
  %least = arith.constant -0.5 : f32
  %most = arith.constant 0.75 : f32
  %me = gin.rank
  %rank = arith.index_cast %me : index to i32

  scf.for %i = %c0 to %c512 step %c1 {
    %n = arith.index_cast %i : index to i32

    // Zeros, subnormals, and every exponent; the rank is added to the mantissa.
    %exponent32 = arith.shli %n, %step32 : i32
    %bits32 = arith.ori %exponent32, %rank : i32
    %exponent16 = arith.shli %n, %step16 : i32
    %wide16 = arith.ori %exponent16, %rank : i32
    %bits16 = arith.trunci %wide16 : i32 to i16
    %bits8 = arith.trunci %n : i32 to i8
    %f32 = arith.bitcast %bits32 : i32 to f32
    %f16 = arith.bitcast %bits16 : i16 to f16
    %bf16 = arith.bitcast %bits16 : i16 to bf16
    %e4m3 = arith.bitcast %bits8 : i8 to f8E4M3FN
    %class32 = func.call @class_f32(%f32) : (f32) -> i32
    %class16 = func.call @class_f16(%f16) : (f16) -> i32
    %class_b = func.call @class_bf16(%bf16) : (bf16) -> i32
    %class8 = func.call @class_e4m3(%e4m3) : (f8E4M3FN) -> i32
    %second = arith.shli %class16, %four : i32
    %two = arith.ori %class32, %second : i32
    %eight = arith.addi %four, %four : i32
    %third = arith.shli %class_b, %eight : i32
    %threes = arith.ori %two, %third : i32
    %twelve = arith.addi %eight, %four : i32
    %fourth = arith.shli %class8, %twelve : i32
    %all = arith.ori %threes, %fourth : i32
    memref.store %all, %classes[%i] : !words

    // Sums that do not fit into an index.
    %large = arith.shli %i, %top : index
    %sum, %carry = arith.addui_extended %large, %large : index, i1
    %carry_i32 = arith.extui %carry : i1 to i32
    memref.store %carry_i32, %carries[%i] : !words

    // Whole powers; 0 has none with a negative exponent.
    %centred = arith.subi %n, %half : i32
    %base = arith.ori %centred, %one : i32
    %rest = arith.remui %n, %nine : i32
    %exponent = arith.subi %rest, %three : i32
    %power = math.ipowi %base, %exponent : i32
    memref.store %power, %whole[%i] : !words
    %fraction = arith.sitofp %n : i32 to f32
    %scaled = arith.mulf %fraction, %scale : f32
    %from_one = arith.addf %scaled, %unit : f32
    %rest13 = arith.remui %n, %thirteen : i32
    %exponent13 = arith.subi %rest13, %six : i32
    %real = math.fpowi %from_one, %exponent13 : f32, i32
    memref.store %real, %powers[%i] : !floats

    %sine, %cosine = math.sincos %fraction : f32
    %wave = arith.subf %sine, %cosine : f32
    %clamped = math.clampf %wave to [%least, %most] : f32
    memref.store %clamped, %waves[%i] : !floats

    // Rounded once.
    %fma8 = math.fma %e4m3, %e4m3, %e4m3 : f8E4M3FN
    %product = arith.extf %fma8 : f8E4M3FN to f32
    %fmab = arith.truncf %from_one : f32 to bf16
    %fma16 = math.fma %fmab, %fmab, %fmab : bf16
    %product16 = arith.extf %fma16 : bf16 to f32
    %ordered = arith.cmpf ord, %product, %product : f32
    %number = arith.select %ordered, %product, %most : f32
    %both = arith.addf %number, %product16 : f32
    memref.store %both, %fused[%i] : !floats
  }

  %right = gin.neighbor 1
  gin.put %classes into %classes_out[0] on %right signal %arrived[0]
    : !words into !words, !gin.signals<1>
  gin.put %carries into %carries_out[0] on %right signal %arrived[0]
    : !words into !words, !gin.signals<1>
  gin.put %whole into %whole_out[0] on %right signal %arrived[0]
    : !words into !words, !gin.signals<1>
  gin.put %powers into %powers_out[0] on %right signal %arrived[0]
    : !floats into !floats, !gin.signals<1>
  gin.put %waves into %waves_out[0] on %right signal %arrived[0]
    : !floats into !floats, !gin.signals<1>
  gin.put %fused into %fused_out[0] on %right signal %arrived[0]
    : !floats into !floats, !gin.signals<1>
  gin.wait %arrived[0] >= %c6 : !gin.signals<1>
  gin.flush
  return
}

//===- vectors.mlir - all that is computed with vectors --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 2 --seed 1

// Functions mix the bits of all their results into one, so that each counts: what
// follows a result is added to 31 times what there is. All go to the neighbour on the
// right.

!i8s = vector<8xi8>
!i16s = vector<8xi16>
!i32s = vector<8xi32>
!i64s = vector<8xi64>
!f16s = vector<8xf16>
!bf16s = vector<8xbf16>
!e4m3s = vector<8xf8E4M3FN>
!f32s = vector<8xf32>
!f64s = vector<8xf64>
!bits = vector<8xi1>
!words = memref<8x256xi32, #gin.window>
!floats = memref<3x256xf32, #gin.window>

func.func private @mix_i8(%so_far: !i8s, %more: !i8s) -> !i8s {
  %factor = arith.constant dense<31> : !i8s
  %scaled = arith.muli %so_far, %factor : !i8s
  %mixed = arith.addi %scaled, %more : !i8s
  return %mixed : !i8s
}
func.func private @mix_i32(%so_far: !i32s, %more: !i32s) -> !i32s {
  %factor = arith.constant dense<31> : !i32s
  %scaled = arith.muli %so_far, %factor : !i32s
  %mixed = arith.addi %scaled, %more : !i32s
  return %mixed : !i32s
}
func.func private @mix_i64(%so_far: !i64s, %more: !i64s) -> !i64s {
  %factor = arith.constant dense<31> : !i64s
  %scaled = arith.muli %so_far, %factor : !i64s
  %mixed = arith.addi %scaled, %more : !i64s
  return %mixed : !i64s
}

// %b has no zeros, and %by is less than the width.
func.func private @integers_i8(%a: !i8s, %b: !i8s, %by: !i8s) -> !i8s {
  %zero = arith.constant dense<0> : !i8s
  %addi = arith.addi %a, %b : !i8s
  %subi = arith.subi %a, %b : !i8s
  %muli = arith.muli %a, %b : !i8s
  %andi = arith.andi %a, %b : !i8s
  %ori = arith.ori %a, %b : !i8s
  %xori = arith.xori %a, %b : !i8s
  %divsi = arith.divsi %a, %b : !i8s
  %divui = arith.divui %a, %b : !i8s
  %remsi = arith.remsi %a, %b : !i8s
  %remui = arith.remui %a, %b : !i8s
  %ceildivsi = arith.ceildivsi %a, %b : !i8s
  %ceildivui = arith.ceildivui %a, %b : !i8s
  %floordivsi = arith.floordivsi %a, %b : !i8s
  %maxsi = arith.maxsi %a, %b : !i8s
  %maxui = arith.maxui %a, %b : !i8s
  %minsi = arith.minsi %a, %b : !i8s
  %minui = arith.minui %a, %b : !i8s
  %shli = arith.shli %a, %by : !i8s
  %shrsi = arith.shrsi %a, %by : !i8s
  %shrui = arith.shrui %a, %by : !i8s
  %minus = arith.subi %zero, %a : !i8s
  %absi = math.absi %a : !i8s
  %ctlz = math.ctlz %a : !i8s
  %ctpop = math.ctpop %a : !i8s
  %cttz = math.cttz %a : !i8s
  %less = arith.cmpi slt, %a, %b : !i8s
  %below = arith.cmpi ult, %a, %b : !i8s
  %only_one = arith.xori %less, %below : !bits
  %selected = arith.select %only_one, %a, %zero : !bits, !i8s
  %sum, %carry = arith.addui_extended %a, %b : !i8s, !bits
  %carried = arith.extui %carry : !bits to !i8s
  %low, %high = arith.mulsi_extended %a, %b : !i8s
  %mix1 = func.call @mix_i8(%addi, %subi) : (!i8s, !i8s) -> !i8s
  %mix2 = func.call @mix_i8(%mix1, %muli) : (!i8s, !i8s) -> !i8s
  %mix3 = func.call @mix_i8(%mix2, %andi) : (!i8s, !i8s) -> !i8s
  %mix4 = func.call @mix_i8(%mix3, %ori) : (!i8s, !i8s) -> !i8s
  %mix5 = func.call @mix_i8(%mix4, %xori) : (!i8s, !i8s) -> !i8s
  %mix6 = func.call @mix_i8(%mix5, %divsi) : (!i8s, !i8s) -> !i8s
  %mix7 = func.call @mix_i8(%mix6, %divui) : (!i8s, !i8s) -> !i8s
  %mix8 = func.call @mix_i8(%mix7, %remsi) : (!i8s, !i8s) -> !i8s
  %mix9 = func.call @mix_i8(%mix8, %remui) : (!i8s, !i8s) -> !i8s
  %mix10 = func.call @mix_i8(%mix9, %ceildivsi) : (!i8s, !i8s) -> !i8s
  %mix11 = func.call @mix_i8(%mix10, %ceildivui) : (!i8s, !i8s) -> !i8s
  %mix12 = func.call @mix_i8(%mix11, %floordivsi) : (!i8s, !i8s) -> !i8s
  %mix13 = func.call @mix_i8(%mix12, %maxsi) : (!i8s, !i8s) -> !i8s
  %mix14 = func.call @mix_i8(%mix13, %maxui) : (!i8s, !i8s) -> !i8s
  %mix15 = func.call @mix_i8(%mix14, %minsi) : (!i8s, !i8s) -> !i8s
  %mix16 = func.call @mix_i8(%mix15, %minui) : (!i8s, !i8s) -> !i8s
  %mix17 = func.call @mix_i8(%mix16, %shli) : (!i8s, !i8s) -> !i8s
  %mix18 = func.call @mix_i8(%mix17, %shrsi) : (!i8s, !i8s) -> !i8s
  %mix19 = func.call @mix_i8(%mix18, %shrui) : (!i8s, !i8s) -> !i8s
  %mix20 = func.call @mix_i8(%mix19, %minus) : (!i8s, !i8s) -> !i8s
  %mix21 = func.call @mix_i8(%mix20, %absi) : (!i8s, !i8s) -> !i8s
  %mix22 = func.call @mix_i8(%mix21, %ctlz) : (!i8s, !i8s) -> !i8s
  %mix23 = func.call @mix_i8(%mix22, %ctpop) : (!i8s, !i8s) -> !i8s
  %mix24 = func.call @mix_i8(%mix23, %cttz) : (!i8s, !i8s) -> !i8s
  %mix25 = func.call @mix_i8(%mix24, %selected) : (!i8s, !i8s) -> !i8s
  %mix26 = func.call @mix_i8(%mix25, %carried) : (!i8s, !i8s) -> !i8s
  %mix27 = func.call @mix_i8(%mix26, %high) : (!i8s, !i8s) -> !i8s
  return %mix27 : !i8s
}
func.func private @integers_i32(%a: !i32s, %b: !i32s, %by: !i32s) -> !i32s {
  %zero = arith.constant dense<0> : !i32s
  %addi = arith.addi %a, %b : !i32s
  %subi = arith.subi %a, %b : !i32s
  %muli = arith.muli %a, %b : !i32s
  %andi = arith.andi %a, %b : !i32s
  %ori = arith.ori %a, %b : !i32s
  %xori = arith.xori %a, %b : !i32s
  %divsi = arith.divsi %a, %b : !i32s
  %divui = arith.divui %a, %b : !i32s
  %remsi = arith.remsi %a, %b : !i32s
  %remui = arith.remui %a, %b : !i32s
  %ceildivsi = arith.ceildivsi %a, %b : !i32s
  %ceildivui = arith.ceildivui %a, %b : !i32s
  %floordivsi = arith.floordivsi %a, %b : !i32s
  %maxsi = arith.maxsi %a, %b : !i32s
  %maxui = arith.maxui %a, %b : !i32s
  %minsi = arith.minsi %a, %b : !i32s
  %minui = arith.minui %a, %b : !i32s
  %shli = arith.shli %a, %by : !i32s
  %shrsi = arith.shrsi %a, %by : !i32s
  %shrui = arith.shrui %a, %by : !i32s
  %minus = arith.subi %zero, %a : !i32s
  %absi = math.absi %a : !i32s
  %ctlz = math.ctlz %a : !i32s
  %ctpop = math.ctpop %a : !i32s
  %cttz = math.cttz %a : !i32s
  %less = arith.cmpi slt, %a, %b : !i32s
  %below = arith.cmpi ult, %a, %b : !i32s
  %only_one = arith.xori %less, %below : !bits
  %selected = arith.select %only_one, %a, %zero : !bits, !i32s
  %sum, %carry = arith.addui_extended %a, %b : !i32s, !bits
  %carried = arith.extui %carry : !bits to !i32s
  %low, %high = arith.mulsi_extended %a, %b : !i32s
  %mix1 = func.call @mix_i32(%addi, %subi) : (!i32s, !i32s) -> !i32s
  %mix2 = func.call @mix_i32(%mix1, %muli) : (!i32s, !i32s) -> !i32s
  %mix3 = func.call @mix_i32(%mix2, %andi) : (!i32s, !i32s) -> !i32s
  %mix4 = func.call @mix_i32(%mix3, %ori) : (!i32s, !i32s) -> !i32s
  %mix5 = func.call @mix_i32(%mix4, %xori) : (!i32s, !i32s) -> !i32s
  %mix6 = func.call @mix_i32(%mix5, %divsi) : (!i32s, !i32s) -> !i32s
  %mix7 = func.call @mix_i32(%mix6, %divui) : (!i32s, !i32s) -> !i32s
  %mix8 = func.call @mix_i32(%mix7, %remsi) : (!i32s, !i32s) -> !i32s
  %mix9 = func.call @mix_i32(%mix8, %remui) : (!i32s, !i32s) -> !i32s
  %mix10 = func.call @mix_i32(%mix9, %ceildivsi) : (!i32s, !i32s) -> !i32s
  %mix11 = func.call @mix_i32(%mix10, %ceildivui) : (!i32s, !i32s) -> !i32s
  %mix12 = func.call @mix_i32(%mix11, %floordivsi) : (!i32s, !i32s) -> !i32s
  %mix13 = func.call @mix_i32(%mix12, %maxsi) : (!i32s, !i32s) -> !i32s
  %mix14 = func.call @mix_i32(%mix13, %maxui) : (!i32s, !i32s) -> !i32s
  %mix15 = func.call @mix_i32(%mix14, %minsi) : (!i32s, !i32s) -> !i32s
  %mix16 = func.call @mix_i32(%mix15, %minui) : (!i32s, !i32s) -> !i32s
  %mix17 = func.call @mix_i32(%mix16, %shli) : (!i32s, !i32s) -> !i32s
  %mix18 = func.call @mix_i32(%mix17, %shrsi) : (!i32s, !i32s) -> !i32s
  %mix19 = func.call @mix_i32(%mix18, %shrui) : (!i32s, !i32s) -> !i32s
  %mix20 = func.call @mix_i32(%mix19, %minus) : (!i32s, !i32s) -> !i32s
  %mix21 = func.call @mix_i32(%mix20, %absi) : (!i32s, !i32s) -> !i32s
  %mix22 = func.call @mix_i32(%mix21, %ctlz) : (!i32s, !i32s) -> !i32s
  %mix23 = func.call @mix_i32(%mix22, %ctpop) : (!i32s, !i32s) -> !i32s
  %mix24 = func.call @mix_i32(%mix23, %cttz) : (!i32s, !i32s) -> !i32s
  %mix25 = func.call @mix_i32(%mix24, %selected) : (!i32s, !i32s) -> !i32s
  %mix26 = func.call @mix_i32(%mix25, %carried) : (!i32s, !i32s) -> !i32s
  %mix27 = func.call @mix_i32(%mix26, %high) : (!i32s, !i32s) -> !i32s
  return %mix27 : !i32s
}
func.func private @integers_i64(%a: !i64s, %b: !i64s, %by: !i64s) -> !i64s {
  %zero = arith.constant dense<0> : !i64s
  %addi = arith.addi %a, %b : !i64s
  %subi = arith.subi %a, %b : !i64s
  %muli = arith.muli %a, %b : !i64s
  %andi = arith.andi %a, %b : !i64s
  %ori = arith.ori %a, %b : !i64s
  %xori = arith.xori %a, %b : !i64s
  %divsi = arith.divsi %a, %b : !i64s
  %divui = arith.divui %a, %b : !i64s
  %remsi = arith.remsi %a, %b : !i64s
  %remui = arith.remui %a, %b : !i64s
  %ceildivsi = arith.ceildivsi %a, %b : !i64s
  %ceildivui = arith.ceildivui %a, %b : !i64s
  %floordivsi = arith.floordivsi %a, %b : !i64s
  %maxsi = arith.maxsi %a, %b : !i64s
  %maxui = arith.maxui %a, %b : !i64s
  %minsi = arith.minsi %a, %b : !i64s
  %minui = arith.minui %a, %b : !i64s
  %shli = arith.shli %a, %by : !i64s
  %shrsi = arith.shrsi %a, %by : !i64s
  %shrui = arith.shrui %a, %by : !i64s
  %minus = arith.subi %zero, %a : !i64s
  %absi = math.absi %a : !i64s
  %ctlz = math.ctlz %a : !i64s
  %ctpop = math.ctpop %a : !i64s
  %cttz = math.cttz %a : !i64s
  %less = arith.cmpi slt, %a, %b : !i64s
  %below = arith.cmpi ult, %a, %b : !i64s
  %only_one = arith.xori %less, %below : !bits
  %selected = arith.select %only_one, %a, %zero : !bits, !i64s
  %sum, %carry = arith.addui_extended %a, %b : !i64s, !bits
  %carried = arith.extui %carry : !bits to !i64s
  %low, %high = arith.mulsi_extended %a, %b : !i64s
  %mix1 = func.call @mix_i64(%addi, %subi) : (!i64s, !i64s) -> !i64s
  %mix2 = func.call @mix_i64(%mix1, %muli) : (!i64s, !i64s) -> !i64s
  %mix3 = func.call @mix_i64(%mix2, %andi) : (!i64s, !i64s) -> !i64s
  %mix4 = func.call @mix_i64(%mix3, %ori) : (!i64s, !i64s) -> !i64s
  %mix5 = func.call @mix_i64(%mix4, %xori) : (!i64s, !i64s) -> !i64s
  %mix6 = func.call @mix_i64(%mix5, %divsi) : (!i64s, !i64s) -> !i64s
  %mix7 = func.call @mix_i64(%mix6, %divui) : (!i64s, !i64s) -> !i64s
  %mix8 = func.call @mix_i64(%mix7, %remsi) : (!i64s, !i64s) -> !i64s
  %mix9 = func.call @mix_i64(%mix8, %remui) : (!i64s, !i64s) -> !i64s
  %mix10 = func.call @mix_i64(%mix9, %ceildivsi) : (!i64s, !i64s) -> !i64s
  %mix11 = func.call @mix_i64(%mix10, %ceildivui) : (!i64s, !i64s) -> !i64s
  %mix12 = func.call @mix_i64(%mix11, %floordivsi) : (!i64s, !i64s) -> !i64s
  %mix13 = func.call @mix_i64(%mix12, %maxsi) : (!i64s, !i64s) -> !i64s
  %mix14 = func.call @mix_i64(%mix13, %maxui) : (!i64s, !i64s) -> !i64s
  %mix15 = func.call @mix_i64(%mix14, %minsi) : (!i64s, !i64s) -> !i64s
  %mix16 = func.call @mix_i64(%mix15, %minui) : (!i64s, !i64s) -> !i64s
  %mix17 = func.call @mix_i64(%mix16, %shli) : (!i64s, !i64s) -> !i64s
  %mix18 = func.call @mix_i64(%mix17, %shrsi) : (!i64s, !i64s) -> !i64s
  %mix19 = func.call @mix_i64(%mix18, %shrui) : (!i64s, !i64s) -> !i64s
  %mix20 = func.call @mix_i64(%mix19, %minus) : (!i64s, !i64s) -> !i64s
  %mix21 = func.call @mix_i64(%mix20, %absi) : (!i64s, !i64s) -> !i64s
  %mix22 = func.call @mix_i64(%mix21, %ctlz) : (!i64s, !i64s) -> !i64s
  %mix23 = func.call @mix_i64(%mix22, %ctpop) : (!i64s, !i64s) -> !i64s
  %mix24 = func.call @mix_i64(%mix23, %cttz) : (!i64s, !i64s) -> !i64s
  %mix25 = func.call @mix_i64(%mix24, %selected) : (!i64s, !i64s) -> !i64s
  %mix26 = func.call @mix_i64(%mix25, %carried) : (!i64s, !i64s) -> !i64s
  %mix27 = func.call @mix_i64(%mix26, %high) : (!i64s, !i64s) -> !i64s
  return %mix27 : !i64s
}

// No result is NaN.
func.func private @floats_f32(%a: !f32s, %b: !f32s) -> !i32s {
  %addf = arith.addf %a, %b : !f32s
  %subf = arith.subf %a, %b : !f32s
  %mulf = arith.mulf %a, %b : !f32s
  %divf = arith.divf %a, %b : !f32s
  %maximumf = arith.maximumf %a, %b : !f32s
  %minimumf = arith.minimumf %a, %b : !f32s
  %maxnumf = arith.maxnumf %a, %b : !f32s
  %minnumf = arith.minnumf %a, %b : !f32s
  %negf = arith.negf %a : !f32s
  %absf = math.absf %a : !f32s
  %floor = math.floor %a : !f32s
  %sqrt = math.sqrt %absf : !f32s
  %copysign = math.copysign %a, %b : !f32s
  %fma = vector.fma %a, %b, %a : !f32s
  %less = arith.cmpf olt, %a, %b : !f32s
  %selected = arith.select %less, %a, %b : !bits, !f32s
  %bits0 = arith.bitcast %addf : !f32s to !i32s
  %bits1 = arith.bitcast %subf : !f32s to !i32s
  %mix1 = func.call @mix_i32(%bits0, %bits1) : (!i32s, !i32s) -> !i32s
  %bits2 = arith.bitcast %mulf : !f32s to !i32s
  %mix2 = func.call @mix_i32(%mix1, %bits2) : (!i32s, !i32s) -> !i32s
  %bits3 = arith.bitcast %divf : !f32s to !i32s
  %mix3 = func.call @mix_i32(%mix2, %bits3) : (!i32s, !i32s) -> !i32s
  %bits4 = arith.bitcast %maximumf : !f32s to !i32s
  %mix4 = func.call @mix_i32(%mix3, %bits4) : (!i32s, !i32s) -> !i32s
  %bits5 = arith.bitcast %minimumf : !f32s to !i32s
  %mix5 = func.call @mix_i32(%mix4, %bits5) : (!i32s, !i32s) -> !i32s
  %bits6 = arith.bitcast %maxnumf : !f32s to !i32s
  %mix6 = func.call @mix_i32(%mix5, %bits6) : (!i32s, !i32s) -> !i32s
  %bits7 = arith.bitcast %minnumf : !f32s to !i32s
  %mix7 = func.call @mix_i32(%mix6, %bits7) : (!i32s, !i32s) -> !i32s
  %bits8 = arith.bitcast %negf : !f32s to !i32s
  %mix8 = func.call @mix_i32(%mix7, %bits8) : (!i32s, !i32s) -> !i32s
  %bits9 = arith.bitcast %absf : !f32s to !i32s
  %mix9 = func.call @mix_i32(%mix8, %bits9) : (!i32s, !i32s) -> !i32s
  %bits10 = arith.bitcast %floor : !f32s to !i32s
  %mix10 = func.call @mix_i32(%mix9, %bits10) : (!i32s, !i32s) -> !i32s
  %bits11 = arith.bitcast %sqrt : !f32s to !i32s
  %mix11 = func.call @mix_i32(%mix10, %bits11) : (!i32s, !i32s) -> !i32s
  %bits12 = arith.bitcast %copysign : !f32s to !i32s
  %mix12 = func.call @mix_i32(%mix11, %bits12) : (!i32s, !i32s) -> !i32s
  %bits13 = arith.bitcast %fma : !f32s to !i32s
  %mix13 = func.call @mix_i32(%mix12, %bits13) : (!i32s, !i32s) -> !i32s
  %bits14 = arith.bitcast %selected : !f32s to !i32s
  %mix14 = func.call @mix_i32(%mix13, %bits14) : (!i32s, !i32s) -> !i32s
  return %mix14 : !i32s
}
func.func private @floats_f16(%a: !f16s, %b: !f16s) -> !i32s {
  %addf = arith.addf %a, %b : !f16s
  %subf = arith.subf %a, %b : !f16s
  %mulf = arith.mulf %a, %b : !f16s
  %divf = arith.divf %a, %b : !f16s
  %maximumf = arith.maximumf %a, %b : !f16s
  %minimumf = arith.minimumf %a, %b : !f16s
  %maxnumf = arith.maxnumf %a, %b : !f16s
  %minnumf = arith.minnumf %a, %b : !f16s
  %negf = arith.negf %a : !f16s
  %absf = math.absf %a : !f16s
  %floor = math.floor %a : !f16s
  %sqrt = math.sqrt %absf : !f16s
  %copysign = math.copysign %a, %b : !f16s
  %fma = vector.fma %a, %b, %a : !f16s
  %less = arith.cmpf olt, %a, %b : !f16s
  %selected = arith.select %less, %a, %b : !bits, !f16s
  %bits0 = arith.bitcast %addf : !f16s to !i16s
  %word0 = arith.extui %bits0 : !i16s to !i32s
  %bits1 = arith.bitcast %subf : !f16s to !i16s
  %word1 = arith.extui %bits1 : !i16s to !i32s
  %mix1 = func.call @mix_i32(%word0, %word1) : (!i32s, !i32s) -> !i32s
  %bits2 = arith.bitcast %mulf : !f16s to !i16s
  %word2 = arith.extui %bits2 : !i16s to !i32s
  %mix2 = func.call @mix_i32(%mix1, %word2) : (!i32s, !i32s) -> !i32s
  %bits3 = arith.bitcast %divf : !f16s to !i16s
  %word3 = arith.extui %bits3 : !i16s to !i32s
  %mix3 = func.call @mix_i32(%mix2, %word3) : (!i32s, !i32s) -> !i32s
  %bits4 = arith.bitcast %maximumf : !f16s to !i16s
  %word4 = arith.extui %bits4 : !i16s to !i32s
  %mix4 = func.call @mix_i32(%mix3, %word4) : (!i32s, !i32s) -> !i32s
  %bits5 = arith.bitcast %minimumf : !f16s to !i16s
  %word5 = arith.extui %bits5 : !i16s to !i32s
  %mix5 = func.call @mix_i32(%mix4, %word5) : (!i32s, !i32s) -> !i32s
  %bits6 = arith.bitcast %maxnumf : !f16s to !i16s
  %word6 = arith.extui %bits6 : !i16s to !i32s
  %mix6 = func.call @mix_i32(%mix5, %word6) : (!i32s, !i32s) -> !i32s
  %bits7 = arith.bitcast %minnumf : !f16s to !i16s
  %word7 = arith.extui %bits7 : !i16s to !i32s
  %mix7 = func.call @mix_i32(%mix6, %word7) : (!i32s, !i32s) -> !i32s
  %bits8 = arith.bitcast %negf : !f16s to !i16s
  %word8 = arith.extui %bits8 : !i16s to !i32s
  %mix8 = func.call @mix_i32(%mix7, %word8) : (!i32s, !i32s) -> !i32s
  %bits9 = arith.bitcast %absf : !f16s to !i16s
  %word9 = arith.extui %bits9 : !i16s to !i32s
  %mix9 = func.call @mix_i32(%mix8, %word9) : (!i32s, !i32s) -> !i32s
  %bits10 = arith.bitcast %floor : !f16s to !i16s
  %word10 = arith.extui %bits10 : !i16s to !i32s
  %mix10 = func.call @mix_i32(%mix9, %word10) : (!i32s, !i32s) -> !i32s
  %bits11 = arith.bitcast %sqrt : !f16s to !i16s
  %word11 = arith.extui %bits11 : !i16s to !i32s
  %mix11 = func.call @mix_i32(%mix10, %word11) : (!i32s, !i32s) -> !i32s
  %bits12 = arith.bitcast %copysign : !f16s to !i16s
  %word12 = arith.extui %bits12 : !i16s to !i32s
  %mix12 = func.call @mix_i32(%mix11, %word12) : (!i32s, !i32s) -> !i32s
  %bits13 = arith.bitcast %fma : !f16s to !i16s
  %word13 = arith.extui %bits13 : !i16s to !i32s
  %mix13 = func.call @mix_i32(%mix12, %word13) : (!i32s, !i32s) -> !i32s
  %bits14 = arith.bitcast %selected : !f16s to !i16s
  %word14 = arith.extui %bits14 : !i16s to !i32s
  %mix14 = func.call @mix_i32(%mix13, %word14) : (!i32s, !i32s) -> !i32s
  return %mix14 : !i32s
}
func.func private @floats_bf16(%a: !bf16s, %b: !bf16s) -> !i32s {
  %addf = arith.addf %a, %b : !bf16s
  %subf = arith.subf %a, %b : !bf16s
  %mulf = arith.mulf %a, %b : !bf16s
  %divf = arith.divf %a, %b : !bf16s
  %maximumf = arith.maximumf %a, %b : !bf16s
  %minimumf = arith.minimumf %a, %b : !bf16s
  %maxnumf = arith.maxnumf %a, %b : !bf16s
  %minnumf = arith.minnumf %a, %b : !bf16s
  %negf = arith.negf %a : !bf16s
  %absf = math.absf %a : !bf16s
  %floor = math.floor %a : !bf16s
  %sqrt = math.sqrt %absf : !bf16s
  %copysign = math.copysign %a, %b : !bf16s
  %fma = vector.fma %a, %b, %a : !bf16s
  %less = arith.cmpf olt, %a, %b : !bf16s
  %selected = arith.select %less, %a, %b : !bits, !bf16s
  %bits0 = arith.bitcast %addf : !bf16s to !i16s
  %word0 = arith.extui %bits0 : !i16s to !i32s
  %bits1 = arith.bitcast %subf : !bf16s to !i16s
  %word1 = arith.extui %bits1 : !i16s to !i32s
  %mix1 = func.call @mix_i32(%word0, %word1) : (!i32s, !i32s) -> !i32s
  %bits2 = arith.bitcast %mulf : !bf16s to !i16s
  %word2 = arith.extui %bits2 : !i16s to !i32s
  %mix2 = func.call @mix_i32(%mix1, %word2) : (!i32s, !i32s) -> !i32s
  %bits3 = arith.bitcast %divf : !bf16s to !i16s
  %word3 = arith.extui %bits3 : !i16s to !i32s
  %mix3 = func.call @mix_i32(%mix2, %word3) : (!i32s, !i32s) -> !i32s
  %bits4 = arith.bitcast %maximumf : !bf16s to !i16s
  %word4 = arith.extui %bits4 : !i16s to !i32s
  %mix4 = func.call @mix_i32(%mix3, %word4) : (!i32s, !i32s) -> !i32s
  %bits5 = arith.bitcast %minimumf : !bf16s to !i16s
  %word5 = arith.extui %bits5 : !i16s to !i32s
  %mix5 = func.call @mix_i32(%mix4, %word5) : (!i32s, !i32s) -> !i32s
  %bits6 = arith.bitcast %maxnumf : !bf16s to !i16s
  %word6 = arith.extui %bits6 : !i16s to !i32s
  %mix6 = func.call @mix_i32(%mix5, %word6) : (!i32s, !i32s) -> !i32s
  %bits7 = arith.bitcast %minnumf : !bf16s to !i16s
  %word7 = arith.extui %bits7 : !i16s to !i32s
  %mix7 = func.call @mix_i32(%mix6, %word7) : (!i32s, !i32s) -> !i32s
  %bits8 = arith.bitcast %negf : !bf16s to !i16s
  %word8 = arith.extui %bits8 : !i16s to !i32s
  %mix8 = func.call @mix_i32(%mix7, %word8) : (!i32s, !i32s) -> !i32s
  %bits9 = arith.bitcast %absf : !bf16s to !i16s
  %word9 = arith.extui %bits9 : !i16s to !i32s
  %mix9 = func.call @mix_i32(%mix8, %word9) : (!i32s, !i32s) -> !i32s
  %bits10 = arith.bitcast %floor : !bf16s to !i16s
  %word10 = arith.extui %bits10 : !i16s to !i32s
  %mix10 = func.call @mix_i32(%mix9, %word10) : (!i32s, !i32s) -> !i32s
  %bits11 = arith.bitcast %sqrt : !bf16s to !i16s
  %word11 = arith.extui %bits11 : !i16s to !i32s
  %mix11 = func.call @mix_i32(%mix10, %word11) : (!i32s, !i32s) -> !i32s
  %bits12 = arith.bitcast %copysign : !bf16s to !i16s
  %word12 = arith.extui %bits12 : !i16s to !i32s
  %mix12 = func.call @mix_i32(%mix11, %word12) : (!i32s, !i32s) -> !i32s
  %bits13 = arith.bitcast %fma : !bf16s to !i16s
  %word13 = arith.extui %bits13 : !i16s to !i32s
  %mix13 = func.call @mix_i32(%mix12, %word13) : (!i32s, !i32s) -> !i32s
  %bits14 = arith.bitcast %selected : !bf16s to !i16s
  %word14 = arith.extui %bits14 : !i16s to !i32s
  %mix14 = func.call @mix_i32(%mix13, %word14) : (!i32s, !i32s) -> !i32s
  return %mix14 : !i32s
}
func.func private @floats_e4m3(%a: !e4m3s, %b: !e4m3s) -> !i32s {
  %addf = arith.addf %a, %b : !e4m3s
  %subf = arith.subf %a, %b : !e4m3s
  %mulf = arith.mulf %a, %b : !e4m3s
  %divf = arith.divf %a, %b : !e4m3s
  %maximumf = arith.maximumf %a, %b : !e4m3s
  %minimumf = arith.minimumf %a, %b : !e4m3s
  %maxnumf = arith.maxnumf %a, %b : !e4m3s
  %minnumf = arith.minnumf %a, %b : !e4m3s
  %negf = arith.negf %a : !e4m3s
  %absf = math.absf %a : !e4m3s
  %floor = math.floor %a : !e4m3s
  %sqrt = math.sqrt %absf : !e4m3s
  %copysign = math.copysign %a, %b : !e4m3s
  %fma = vector.fma %a, %b, %a : !e4m3s
  %less = arith.cmpf olt, %a, %b : !e4m3s
  %selected = arith.select %less, %a, %b : !bits, !e4m3s
  %bits0 = arith.bitcast %addf : !e4m3s to !i8s
  %word0 = arith.extui %bits0 : !i8s to !i32s
  %bits1 = arith.bitcast %subf : !e4m3s to !i8s
  %word1 = arith.extui %bits1 : !i8s to !i32s
  %mix1 = func.call @mix_i32(%word0, %word1) : (!i32s, !i32s) -> !i32s
  %bits2 = arith.bitcast %mulf : !e4m3s to !i8s
  %word2 = arith.extui %bits2 : !i8s to !i32s
  %mix2 = func.call @mix_i32(%mix1, %word2) : (!i32s, !i32s) -> !i32s
  %bits3 = arith.bitcast %divf : !e4m3s to !i8s
  %word3 = arith.extui %bits3 : !i8s to !i32s
  %mix3 = func.call @mix_i32(%mix2, %word3) : (!i32s, !i32s) -> !i32s
  %bits4 = arith.bitcast %maximumf : !e4m3s to !i8s
  %word4 = arith.extui %bits4 : !i8s to !i32s
  %mix4 = func.call @mix_i32(%mix3, %word4) : (!i32s, !i32s) -> !i32s
  %bits5 = arith.bitcast %minimumf : !e4m3s to !i8s
  %word5 = arith.extui %bits5 : !i8s to !i32s
  %mix5 = func.call @mix_i32(%mix4, %word5) : (!i32s, !i32s) -> !i32s
  %bits6 = arith.bitcast %maxnumf : !e4m3s to !i8s
  %word6 = arith.extui %bits6 : !i8s to !i32s
  %mix6 = func.call @mix_i32(%mix5, %word6) : (!i32s, !i32s) -> !i32s
  %bits7 = arith.bitcast %minnumf : !e4m3s to !i8s
  %word7 = arith.extui %bits7 : !i8s to !i32s
  %mix7 = func.call @mix_i32(%mix6, %word7) : (!i32s, !i32s) -> !i32s
  %bits8 = arith.bitcast %negf : !e4m3s to !i8s
  %word8 = arith.extui %bits8 : !i8s to !i32s
  %mix8 = func.call @mix_i32(%mix7, %word8) : (!i32s, !i32s) -> !i32s
  %bits9 = arith.bitcast %absf : !e4m3s to !i8s
  %word9 = arith.extui %bits9 : !i8s to !i32s
  %mix9 = func.call @mix_i32(%mix8, %word9) : (!i32s, !i32s) -> !i32s
  %bits10 = arith.bitcast %floor : !e4m3s to !i8s
  %word10 = arith.extui %bits10 : !i8s to !i32s
  %mix10 = func.call @mix_i32(%mix9, %word10) : (!i32s, !i32s) -> !i32s
  %bits11 = arith.bitcast %sqrt : !e4m3s to !i8s
  %word11 = arith.extui %bits11 : !i8s to !i32s
  %mix11 = func.call @mix_i32(%mix10, %word11) : (!i32s, !i32s) -> !i32s
  %bits12 = arith.bitcast %copysign : !e4m3s to !i8s
  %word12 = arith.extui %bits12 : !i8s to !i32s
  %mix12 = func.call @mix_i32(%mix11, %word12) : (!i32s, !i32s) -> !i32s
  %bits13 = arith.bitcast %fma : !e4m3s to !i8s
  %word13 = arith.extui %bits13 : !i8s to !i32s
  %mix13 = func.call @mix_i32(%mix12, %word13) : (!i32s, !i32s) -> !i32s
  %bits14 = arith.bitcast %selected : !e4m3s to !i8s
  %word14 = arith.extui %bits14 : !i8s to !i32s
  %mix14 = func.call @mix_i32(%mix13, %word14) : (!i32s, !i32s) -> !i32s
  return %mix14 : !i32s
}

// Reductions with and without a number to begin with.
func.func private @reductions(%a: !i32s, %small: !i8s, %x: !f32s, %half: !f16s) -> !i32s {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i8
  %quarter = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f16
  %c31 = arith.constant 31 : i32
  %units = arith.constant dense<1.0> : !f16s
  %add = vector.reduction <add>, %a : !i32s into i32
  %add3 = vector.reduction <add>, %a, %three : !i32s into i32
  %add3_scaled = arith.muli %add, %c31 : i32
  %add3_mixed = arith.addi %add3_scaled, %add3 : i32
  %add_i8 = vector.reduction <add>, %small, %seven : !i8s into i8
  %add_wide = arith.extsi %add_i8 : i8 to i32
  %add_wide_scaled = arith.muli %add3_mixed, %c31 : i32
  %add_wide_mixed = arith.addi %add_wide_scaled, %add_wide : i32
  %mul = vector.reduction <mul>, %a : !i32s into i32
  %mul_scaled = arith.muli %add_wide_mixed, %c31 : i32
  %mul_mixed = arith.addi %mul_scaled, %mul : i32
  %mul3 = vector.reduction <mul>, %a, %three : !i32s into i32
  %mul3_scaled = arith.muli %mul_mixed, %c31 : i32
  %mul3_mixed = arith.addi %mul3_scaled, %mul3 : i32
  %mul_i8 = vector.reduction <mul>, %small, %seven : !i8s into i8
  %mul_wide = arith.extsi %mul_i8 : i8 to i32
  %mul_wide_scaled = arith.muli %mul3_mixed, %c31 : i32
  %mul_wide_mixed = arith.addi %mul_wide_scaled, %mul_wide : i32
  %minui = vector.reduction <minui>, %a : !i32s into i32
  %minui_scaled = arith.muli %mul_wide_mixed, %c31 : i32
  %minui_mixed = arith.addi %minui_scaled, %minui : i32
  %minui3 = vector.reduction <minui>, %a, %three : !i32s into i32
  %minui3_scaled = arith.muli %minui_mixed, %c31 : i32
  %minui3_mixed = arith.addi %minui3_scaled, %minui3 : i32
  %minui_i8 = vector.reduction <minui>, %small, %seven : !i8s into i8
  %minui_wide = arith.extsi %minui_i8 : i8 to i32
  %minui_wide_scaled = arith.muli %minui3_mixed, %c31 : i32
  %minui_wide_mixed = arith.addi %minui_wide_scaled, %minui_wide : i32
  %minsi = vector.reduction <minsi>, %a : !i32s into i32
  %minsi_scaled = arith.muli %minui_wide_mixed, %c31 : i32
  %minsi_mixed = arith.addi %minsi_scaled, %minsi : i32
  %minsi3 = vector.reduction <minsi>, %a, %three : !i32s into i32
  %minsi3_scaled = arith.muli %minsi_mixed, %c31 : i32
  %minsi3_mixed = arith.addi %minsi3_scaled, %minsi3 : i32
  %minsi_i8 = vector.reduction <minsi>, %small, %seven : !i8s into i8
  %minsi_wide = arith.extsi %minsi_i8 : i8 to i32
  %minsi_wide_scaled = arith.muli %minsi3_mixed, %c31 : i32
  %minsi_wide_mixed = arith.addi %minsi_wide_scaled, %minsi_wide : i32
  %maxui = vector.reduction <maxui>, %a : !i32s into i32
  %maxui_scaled = arith.muli %minsi_wide_mixed, %c31 : i32
  %maxui_mixed = arith.addi %maxui_scaled, %maxui : i32
  %maxui3 = vector.reduction <maxui>, %a, %three : !i32s into i32
  %maxui3_scaled = arith.muli %maxui_mixed, %c31 : i32
  %maxui3_mixed = arith.addi %maxui3_scaled, %maxui3 : i32
  %maxui_i8 = vector.reduction <maxui>, %small, %seven : !i8s into i8
  %maxui_wide = arith.extsi %maxui_i8 : i8 to i32
  %maxui_wide_scaled = arith.muli %maxui3_mixed, %c31 : i32
  %maxui_wide_mixed = arith.addi %maxui_wide_scaled, %maxui_wide : i32
  %maxsi = vector.reduction <maxsi>, %a : !i32s into i32
  %maxsi_scaled = arith.muli %maxui_wide_mixed, %c31 : i32
  %maxsi_mixed = arith.addi %maxsi_scaled, %maxsi : i32
  %maxsi3 = vector.reduction <maxsi>, %a, %three : !i32s into i32
  %maxsi3_scaled = arith.muli %maxsi_mixed, %c31 : i32
  %maxsi3_mixed = arith.addi %maxsi3_scaled, %maxsi3 : i32
  %maxsi_i8 = vector.reduction <maxsi>, %small, %seven : !i8s into i8
  %maxsi_wide = arith.extsi %maxsi_i8 : i8 to i32
  %maxsi_wide_scaled = arith.muli %maxsi3_mixed, %c31 : i32
  %maxsi_wide_mixed = arith.addi %maxsi_wide_scaled, %maxsi_wide : i32
  %and = vector.reduction <and>, %a : !i32s into i32
  %and_scaled = arith.muli %maxsi_wide_mixed, %c31 : i32
  %and_mixed = arith.addi %and_scaled, %and : i32
  %and3 = vector.reduction <and>, %a, %three : !i32s into i32
  %and3_scaled = arith.muli %and_mixed, %c31 : i32
  %and3_mixed = arith.addi %and3_scaled, %and3 : i32
  %and_i8 = vector.reduction <and>, %small, %seven : !i8s into i8
  %and_wide = arith.extsi %and_i8 : i8 to i32
  %and_wide_scaled = arith.muli %and3_mixed, %c31 : i32
  %and_wide_mixed = arith.addi %and_wide_scaled, %and_wide : i32
  %or = vector.reduction <or>, %a : !i32s into i32
  %or_scaled = arith.muli %and_wide_mixed, %c31 : i32
  %or_mixed = arith.addi %or_scaled, %or : i32
  %or3 = vector.reduction <or>, %a, %three : !i32s into i32
  %or3_scaled = arith.muli %or_mixed, %c31 : i32
  %or3_mixed = arith.addi %or3_scaled, %or3 : i32
  %or_i8 = vector.reduction <or>, %small, %seven : !i8s into i8
  %or_wide = arith.extsi %or_i8 : i8 to i32
  %or_wide_scaled = arith.muli %or3_mixed, %c31 : i32
  %or_wide_mixed = arith.addi %or_wide_scaled, %or_wide : i32
  %xor = vector.reduction <xor>, %a : !i32s into i32
  %xor_scaled = arith.muli %or_wide_mixed, %c31 : i32
  %xor_mixed = arith.addi %xor_scaled, %xor : i32
  %xor3 = vector.reduction <xor>, %a, %three : !i32s into i32
  %xor3_scaled = arith.muli %xor_mixed, %c31 : i32
  %xor3_mixed = arith.addi %xor3_scaled, %xor3 : i32
  %xor_i8 = vector.reduction <xor>, %small, %seven : !i8s into i8
  %xor_wide = arith.extsi %xor_i8 : i8 to i32
  %xor_wide_scaled = arith.muli %xor3_mixed, %c31 : i32
  %xor_wide_mixed = arith.addi %xor_wide_scaled, %xor_wide : i32
  %add_f = vector.reduction <add>, %x : !f32s into f32
  %add_f_bits = arith.bitcast %add_f : f32 to i32
  %add_f_bits_scaled = arith.muli %xor_wide_mixed, %c31 : i32
  %add_f_bits_mixed = arith.addi %add_f_bits_scaled, %add_f_bits : i32
  %add_q = vector.reduction <add>, %x, %quarter : !f32s into f32
  %add_q_bits = arith.bitcast %add_q : f32 to i32
  %add_q_bits_scaled = arith.muli %add_f_bits_mixed, %c31 : i32
  %add_q_bits_mixed = arith.addi %add_q_bits_scaled, %add_q_bits : i32
  %add_h = vector.reduction <add>, %half, %two : !f16s into f16
  %add_h_bits = arith.bitcast %add_h : f16 to i16
  %add_h_wide = arith.extui %add_h_bits : i16 to i32
  %add_h_wide_scaled = arith.muli %add_q_bits_mixed, %c31 : i32
  %add_h_wide_mixed = arith.addi %add_h_wide_scaled, %add_h_wide : i32
  %mul_f = vector.reduction <mul>, %x : !f32s into f32
  %mul_f_bits = arith.bitcast %mul_f : f32 to i32
  %mul_f_bits_scaled = arith.muli %add_h_wide_mixed, %c31 : i32
  %mul_f_bits_mixed = arith.addi %mul_f_bits_scaled, %mul_f_bits : i32
  %mul_q = vector.reduction <mul>, %x, %quarter : !f32s into f32
  %mul_q_bits = arith.bitcast %mul_q : f32 to i32
  %mul_q_bits_scaled = arith.muli %mul_f_bits_mixed, %c31 : i32
  %mul_q_bits_mixed = arith.addi %mul_q_bits_scaled, %mul_q_bits : i32
  %mul_h = vector.reduction <mul>, %units, %two : !f16s into f16
  %mul_h_bits = arith.bitcast %mul_h : f16 to i16
  %mul_h_wide = arith.extui %mul_h_bits : i16 to i32
  %mul_h_wide_scaled = arith.muli %mul_q_bits_mixed, %c31 : i32
  %mul_h_wide_mixed = arith.addi %mul_h_wide_scaled, %mul_h_wide : i32
  %minnumf_f = vector.reduction <minnumf>, %x : !f32s into f32
  %minnumf_f_bits = arith.bitcast %minnumf_f : f32 to i32
  %minnumf_f_bits_scaled = arith.muli %mul_h_wide_mixed, %c31 : i32
  %minnumf_f_bits_mixed = arith.addi %minnumf_f_bits_scaled, %minnumf_f_bits : i32
  %minnumf_q = vector.reduction <minnumf>, %x, %quarter : !f32s into f32
  %minnumf_q_bits = arith.bitcast %minnumf_q : f32 to i32
  %minnumf_q_bits_scaled = arith.muli %minnumf_f_bits_mixed, %c31 : i32
  %minnumf_q_bits_mixed = arith.addi %minnumf_q_bits_scaled, %minnumf_q_bits : i32
  %minnumf_h = vector.reduction <minnumf>, %half, %two : !f16s into f16
  %minnumf_h_bits = arith.bitcast %minnumf_h : f16 to i16
  %minnumf_h_wide = arith.extui %minnumf_h_bits : i16 to i32
  %minnumf_h_wide_scaled = arith.muli %minnumf_q_bits_mixed, %c31 : i32
  %minnumf_h_wide_mixed = arith.addi %minnumf_h_wide_scaled, %minnumf_h_wide : i32
  %maxnumf_f = vector.reduction <maxnumf>, %x : !f32s into f32
  %maxnumf_f_bits = arith.bitcast %maxnumf_f : f32 to i32
  %maxnumf_f_bits_scaled = arith.muli %minnumf_h_wide_mixed, %c31 : i32
  %maxnumf_f_bits_mixed = arith.addi %maxnumf_f_bits_scaled, %maxnumf_f_bits : i32
  %maxnumf_q = vector.reduction <maxnumf>, %x, %quarter : !f32s into f32
  %maxnumf_q_bits = arith.bitcast %maxnumf_q : f32 to i32
  %maxnumf_q_bits_scaled = arith.muli %maxnumf_f_bits_mixed, %c31 : i32
  %maxnumf_q_bits_mixed = arith.addi %maxnumf_q_bits_scaled, %maxnumf_q_bits : i32
  %maxnumf_h = vector.reduction <maxnumf>, %half, %two : !f16s into f16
  %maxnumf_h_bits = arith.bitcast %maxnumf_h : f16 to i16
  %maxnumf_h_wide = arith.extui %maxnumf_h_bits : i16 to i32
  %maxnumf_h_wide_scaled = arith.muli %maxnumf_q_bits_mixed, %c31 : i32
  %maxnumf_h_wide_mixed = arith.addi %maxnumf_h_wide_scaled, %maxnumf_h_wide : i32
  %minimumf_f = vector.reduction <minimumf>, %x : !f32s into f32
  %minimumf_f_bits = arith.bitcast %minimumf_f : f32 to i32
  %minimumf_f_bits_scaled = arith.muli %maxnumf_h_wide_mixed, %c31 : i32
  %minimumf_f_bits_mixed = arith.addi %minimumf_f_bits_scaled, %minimumf_f_bits : i32
  %minimumf_q = vector.reduction <minimumf>, %x, %quarter : !f32s into f32
  %minimumf_q_bits = arith.bitcast %minimumf_q : f32 to i32
  %minimumf_q_bits_scaled = arith.muli %minimumf_f_bits_mixed, %c31 : i32
  %minimumf_q_bits_mixed = arith.addi %minimumf_q_bits_scaled, %minimumf_q_bits : i32
  %minimumf_h = vector.reduction <minimumf>, %half, %two : !f16s into f16
  %minimumf_h_bits = arith.bitcast %minimumf_h : f16 to i16
  %minimumf_h_wide = arith.extui %minimumf_h_bits : i16 to i32
  %minimumf_h_wide_scaled = arith.muli %minimumf_q_bits_mixed, %c31 : i32
  %minimumf_h_wide_mixed = arith.addi %minimumf_h_wide_scaled, %minimumf_h_wide : i32
  %maximumf_f = vector.reduction <maximumf>, %x : !f32s into f32
  %maximumf_f_bits = arith.bitcast %maximumf_f : f32 to i32
  %maximumf_f_bits_scaled = arith.muli %minimumf_h_wide_mixed, %c31 : i32
  %maximumf_f_bits_mixed = arith.addi %maximumf_f_bits_scaled, %maximumf_f_bits : i32
  %maximumf_q = vector.reduction <maximumf>, %x, %quarter : !f32s into f32
  %maximumf_q_bits = arith.bitcast %maximumf_q : f32 to i32
  %maximumf_q_bits_scaled = arith.muli %maximumf_f_bits_mixed, %c31 : i32
  %maximumf_q_bits_mixed = arith.addi %maximumf_q_bits_scaled, %maximumf_q_bits : i32
  %maximumf_h = vector.reduction <maximumf>, %half, %two : !f16s into f16
  %maximumf_h_bits = arith.bitcast %maximumf_h : f16 to i16
  %maximumf_h_wide = arith.extui %maximumf_h_bits : i16 to i32
  %maximumf_h_wide_scaled = arith.muli %maximumf_q_bits_mixed, %c31 : i32
  %maximumf_h_wide_mixed = arith.addi %maximumf_h_wide_scaled, %maximumf_h_wide : i32
  %all = vector.broadcast %maximumf_h_wide_mixed : i32 to !i32s
  return %all : !i32s
}

// Places alone change, but for those of %moved's second half, which are zeros.
func.func private @shuffles(%a: !i32s, %b: !i32s) -> !i32s {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : !i32s
  %mixed = vector.shuffle %a, %b [7, 8, 0, 15, 3, 3, 12, 1] : !i32s, !i32s
  %left = vector.shuffle %a, %a [0, 2, 4, 6] : !i32s, !i32s
  %right = vector.extract_strided_slice %b {offsets = [3], sizes = [4], strides = [1]}
    : !i32s to vector<4xi32>
  %zipped = vector.interleave %left, %right : vector<4xi32> -> !i32s
  %even, %odd = vector.deinterleave %a : !i32s -> vector<4xi32>
  %moved = vector.insert_strided_slice %odd, %zeros {offsets = [0], strides = [1]}
    : vector<4xi32> into !i32s
  %all:8 = vector.to_elements %b : !i32s
  %first = vector.from_elements %all#7, %all#1, %zero, %all#2, %all#4, %zero, %all#0, %all#6
    : !i32s
  %pairs = vector.shape_cast %a : !i32s to vector<2x4xi32>
  %turned = vector.transpose %pairs, [1, 0] : vector<2x4xi32> to vector<4x2xi32>
  %flat = vector.shape_cast %turned : vector<4x2xi32> to !i32s
  %mix1 = func.call @mix_i32(%mixed, %zipped) : (!i32s, !i32s) -> !i32s
  %mix2 = func.call @mix_i32(%mix1, %moved) : (!i32s, !i32s) -> !i32s
  %mix3 = func.call @mix_i32(%mix2, %first) : (!i32s, !i32s) -> !i32s
  %mix4 = func.call @mix_i32(%mix3, %flat) : (!i32s, !i32s) -> !i32s
  return %mix4 : !i32s
}

func.func @vectors(%words: !words, %floats: !floats, %words_out: !words,
                   %floats_out: !floats, %arrived: !gin.signals<1>)
    attributes {gin.run = {reference = "vectors.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %factor = arith.constant dense<-1640531527> : !i32s
  %other = arith.constant dense<40503> : !i32s
  %one8 = arith.constant dense<1> : !i8s
  %seven8 = arith.constant dense<7> : !i8s
  %one32 = arith.constant dense<1> : !i32s
  %width32 = arith.constant dense<31> : !i32s
  %one64 = arith.constant dense<1> : !i64s
  %half = arith.constant dense<32> : !i64s
  %width64 = arith.constant dense<63> : !i64s
  %fifteen = arith.constant dense<15> : !i32s
  %eights = arith.constant dense<8> : !i32s
  %fours = arith.constant dense<4> : !i32s
  %twenty = arith.constant dense<20> : !i32s
  %quarter = arith.constant dense<0.25> : !f32s
  %least = arith.constant dense<-0.5> : !f32s
  %most = arith.constant dense<0.75> : !f32s
  %me = gin.rank
  %rank = arith.index_cast %me : index to i32
  %ranks = vector.broadcast %rank : i32 to !i32s

  scf.for %i = %c0 to %c256 step %c8 {
    // Numbers of all sizes, other ones in each rank.
    %lanes = vector.step : vector<8xindex>
    %begin = vector.broadcast %i : index to vector<8xindex>
    %places = arith.addi %begin, %lanes : vector<8xindex>
    %n = arith.index_cast %places : vector<8xindex> to !i32s
    %own = arith.addi %n, %ranks : !i32s
    %a = arith.muli %own, %factor : !i32s
    %b_any = arith.muli %own, %other : !i32s
    %b = arith.ori %b_any, %one32 : !i32s
    %by = arith.andi %n, %width32 : !i32s

    %integers = func.call @integers_i32(%a, %b, %by) : (!i32s, !i32s, !i32s) -> !i32s
    vector.store %integers, %words[%c0, %i] : !words, !i32s

    %a8 = arith.trunci %a : !i32s to !i8s
    %b8_any = arith.trunci %b_any : !i32s to !i8s
    %b8 = arith.ori %b8_any, %one8 : !i8s
    %n8 = arith.trunci %n : !i32s to !i8s
    %by8 = arith.andi %n8, %seven8 : !i8s
    %integers8 = func.call @integers_i8(%a8, %b8, %by8) : (!i8s, !i8s, !i8s) -> !i8s
    %signed8 = arith.extsi %integers8 : !i8s to !i32s
    vector.store %signed8, %words[%c1, %i] : !words, !i32s

    %a_wide = arith.extsi %a : !i32s to !i64s
    %a64 = arith.muli %a_wide, %a_wide : !i64s
    %b_wide = arith.extui %b : !i32s to !i64s
    %b64 = arith.ori %b_wide, %one64 : !i64s
    %n64 = arith.index_castui %places : vector<8xindex> to !i64s
    %by64 = arith.andi %n64, %width64 : !i64s
    %integers64 = func.call @integers_i64(%a64, %b64, %by64) : (!i64s, !i64s, !i64s) -> !i64s
    %top = arith.shrui %integers64, %half : !i64s
    %folded = arith.xori %integers64, %top : !i64s
    %both = arith.trunci %folded : !i64s to !i32s
    vector.store %both, %words[%c2, %i] : !words, !i32s

    // From -2 to 1.75 in quarters, and from 1 to 4.75.
    %n16 = arith.andi %own, %fifteen : !i32s
    %top4 = arith.shrui %a, %twenty : !i32s
    %low4 = arith.andi %top4, %fifteen : !i32s
    %x_whole = arith.subi %n16, %eights : !i32s
    %x_f32 = arith.sitofp %x_whole : !i32s to !f32s
    %x = arith.mulf %x_f32, %quarter : !f32s
    %y_whole = arith.addi %low4, %fours : !i32s
    %y_f32 = arith.uitofp %y_whole : !i32s to !f32s
    %y = arith.mulf %y_f32, %quarter : !f32s
    %of_f32 = func.call @floats_f32(%x, %y) : (!f32s, !f32s) -> !i32s
    %x_f16 = arith.truncf %x : !f32s to !f16s
    %y_f16 = arith.truncf %y : !f32s to !f16s
    %of_f16 = func.call @floats_f16(%x_f16, %y_f16) : (!f16s, !f16s) -> !i32s
    %x_bf16 = arith.truncf %x : !f32s to !bf16s
    %y_bf16 = arith.truncf %y : !f32s to !bf16s
    %of_bf16 = func.call @floats_bf16(%x_bf16, %y_bf16) : (!bf16s, !bf16s) -> !i32s
    %x_e4m3 = arith.truncf %x : !f32s to !e4m3s
    %y_e4m3 = arith.truncf %y : !f32s to !e4m3s
    %of_e4m3 = func.call @floats_e4m3(%x_e4m3, %y_e4m3) : (!e4m3s, !e4m3s) -> !i32s
    %wide2 = func.call @mix_i32(%of_f16, %of_bf16) : (!i32s, !i32s) -> !i32s
    %small = func.call @mix_i32(%wide2, %of_e4m3) : (!i32s, !i32s) -> !i32s
    vector.store %of_f32, %words[%c3, %i] : !words, !i32s
    vector.store %small, %words[%c4, %i] : !words, !i32s

    %reduced = func.call @reductions(%a, %a8, %y, %x_f16) : (!i32s, !i8s, !f32s, !f16s) -> !i32s
    vector.store %reduced, %words[%c5, %i] : !words, !i32s
    %shuffled = func.call @shuffles(%a, %b) : (!i32s, !i32s) -> !i32s
    vector.store %shuffled, %words[%c6, %i] : !words, !i32s

    // Conversions of all kinds.
    %scaled = arith.mulf %x, %y : !f32s
    %signed = arith.fptosi %scaled : !f32s to !i16s
    %unsigned = arith.fptoui %y : !f32s to !i8s
    %signed_wide = arith.extsi %signed : !i16s to !i32s
    %unsigned_wide = arith.extui %unsigned : !i8s to !i32s
    %from_small = arith.sitofp %a8 : !i8s to !f16s
    %from_unsigned = arith.uitofp %a8 : !i8s to !bf16s
    %bits16 = arith.bitcast %from_small : !f16s to !i16s
    %bits_b = vector.bitcast %from_unsigned : !bf16s to !i16s
    %word16 = arith.extui %bits16 : !i16s to !i32s
    %word_b = arith.extui %bits_b : !i16s to !i32s
    %double = arith.extf %scaled : !f32s to !f64s
    %doubles = arith.uitofp %a64 : !i64s to !f64s
    %sum64 = arith.addf %double, %doubles : !f64s
    %bits64 = arith.bitcast %sum64 : !f64s to !i64s
    %low64 = arith.trunci %bits64 : !i64s to !i32s
    %odd = arith.trunci %a : !i32s to !bits
    %minus = arith.extsi %odd : !bits to !i32s
    %mix1 = func.call @mix_i32(%signed_wide, %unsigned_wide) : (!i32s, !i32s) -> !i32s
    %mix2 = func.call @mix_i32(%mix1, %word16) : (!i32s, !i32s) -> !i32s
    %mix3 = func.call @mix_i32(%mix2, %word_b) : (!i32s, !i32s) -> !i32s
    %mix4 = func.call @mix_i32(%mix3, %low64) : (!i32s, !i32s) -> !i32s
    %mix5 = func.call @mix_i32(%mix4, %minus) : (!i32s, !i32s) -> !i32s
    vector.store %mix5, %words[%c7, %i] : !words, !i32s

    // What is not rounded alike everywhere.
    %exp = math.exp %x : !f32s
    %log = math.log %y : !f32s
    %power = math.powf %y, %x : !f32s
    %product = arith.mulf %exp, %log : !f32s
    %curve = arith.addf %product, %power : !f32s
    vector.store %curve, %floats[%c0, %i] : !floats, !f32s
    %sine, %cosine = math.sincos %x : !f32s
    %wave = arith.subf %sine, %cosine : !f32s
    %clamped = math.clampf %wave to [%least, %most] : !f32s
    vector.store %clamped, %floats[%c1, %i] : !floats, !f32s
    %root = math.rsqrt %x : !f32s
    %nan = math.isnan %root : !f32s
    %infinite = math.isinf %root : !f32s
    %either = arith.ori %nan, %infinite : !bits
    %number = arith.select %either, %y, %root : !bits, !f32s
    %whole_power = math.fpowi %number, %x_whole : !f32s, !i32s
    vector.store %whole_power, %floats[%c2, %i] : !floats, !f32s
  }

  %right = gin.neighbor 1
  gin.put %words into %words_out[0, 0] on %right signal %arrived[0]
    : !words into !words, !gin.signals<1>
  gin.put %floats into %floats_out[0, 0] on %right signal %arrived[0]
    : !floats into !floats, !gin.signals<1>
  gin.wait %arrived[0] >= %c2 : !gin.signals<1>
  gin.flush
  return
}

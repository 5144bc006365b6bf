// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!words = memref<64xi64, #gin.window>
!bytes = memref<64xi8, #gin.window>
!ints = memref<64xi32, #gin.window>

gpu.module @arithmetic {
  gpu.func @arithmetic(%a: index, %b: index, %c: i32, %d: i32, %small: i8, %flag: i1,
      %x: !words, %y: !bytes, %z: !ints) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %n = gin.num_ranks
    %true = arith.constant true

    // Signed and unsigned.
    %quotient = arith.divui %a, %b : index
    %rest = arith.remui %a, %c5 : index
    %even = arith.remui %n, %c3 : index
    %signed = arith.divsi %a, %b : index
    %down = arith.floordivsi %a, %c3 : index
    %up = arith.ceildivui %a, %c3 : index
    %sum1 = arith.addi %quotient, %rest : index
    %sum2 = arith.addi %sum1, %even : index
    %sum3 = arith.addi %sum2, %signed : index
    %w0 = arith.index_cast %sum3 : index to i64
    memref.store %w0, %x[%c0] : !words
    %sum4 = arith.subi %down, %up : index
    %sum5 = arith.addi %sum4, %m2 : index
    %w1 = arith.index_cast %sum5 : index to i64
    memref.store %w1, %x[%c1] : !words
    %least = arith.minsi %a, %c3 : index
    %most = arith.maxui %b, %a : index
    %product = arith.muli %least, %most : index
    %w2 = arith.index_cast %product : index to i64
    memref.store %w2, %x[%c3] : !words

    // Comparisons, truth values, choices.
    %below = arith.cmpi ult, %a, %b : index
    %few = arith.cmpi ult, %n, %c5 : index
    %less = arith.cmpi slt, %c, %d : i32
    %both = arith.andi %below, %few : i1
    %any = arith.ori %both, %less : i1
    %not = arith.xori %any, %true : i1
    %differ = arith.xori %not, %flag : i1
    %chosen = arith.select %differ, %a, %c3 : index
    %w3 = arith.index_cast %chosen : index to i64
    memref.store %w3, %x[%c5] : !words

    // Bits.
    %masked = arith.andi %c, %d : i32
    %shifted = arith.shli %masked, %c : i32
    %logical = arith.shrui %shifted, %d : i32
    %arithmetic = arith.shrsi %c, %d : i32
    %merged = arith.ori %logical, %arithmetic : i32
    memref.store %merged, %z[%c0] : !ints
    %ones = math.ctpop %c : i32
    memref.store %ones, %z[%c1] : !ints

    // Widths.
    %wide = arith.extsi %small : i8 to i64
    %wide_unsigned = arith.extui %small : i8 to i64
    %wider = arith.addi %wide, %wide_unsigned : i64
    memref.store %wider, %x[%n] : !words
    %doubled = arith.addi %small, %small : i8
    memref.store %doubled, %y[%c0] : !bytes
    %cut = arith.trunci %c : i32 to i8
    memref.store %cut, %y[%c1] : !bytes
    %bit = arith.trunci %c : i32 to i1
    %bit_i32 = arith.extui %bit : i1 to i32
    %minus = arith.extsi %bit : i1 to i32
    %bits = arith.addi %bit_i32, %minus : i32
    memref.store %bits, %z[%c3] : !ints

    // Twice the width.
    %low, %high = arith.mului_extended %c, %d : i32
    memref.store %low, %z[%c5] : !ints
    memref.store %high, %z[%n] : !ints
    %slow, %shigh = arith.mulsi_extended %w0, %w1 : i64
    memref.store %shigh, %x[%rest] : !words
    %added, %carry = arith.addui_extended %c, %d : i32, i1
    %carry_i32 = arith.extui %carry : i1 to i32
    memref.store %carry_i32, %z[%rest] : !ints

    %mapped = affine.apply affine_map<(i, j)[s] -> (i * 4 + j floordiv 2 - s)>(%a, %b)[%n]
    %w4 = arith.index_cast %mapped : index to i64
    memref.store %w4, %x[%even] : !words
    %i = index.maxu %a, %b
    %j = index.ceildivs %i, %c3
    %k = index.cmp slt(%j, %a)
    %l = arith.select %k, %j, %a : index
    %w5 = arith.index_cast %l : index to i64
    %smallest = arith.constant -9223372036854775808 : i64
    %w6 = arith.xori %w5, %smallest : i64
    memref.store %w6, %x[%j] : !words

    // The larger of two signed truth values, 0 and -1, is their conjunction.
    %larger = arith.maxsi %flag, %k : i1
    %smaller = arith.minsi %larger, %carry : i1
    %larger_unsigned = arith.maxui %smaller, %bit : i1
    %smaller_unsigned = arith.minui %larger_unsigned, %less : i1
    %truth = arith.extui %smaller_unsigned : i1 to i32
    memref.store %truth, %z[%j] : !ints
    %power = math.ipowi %d, %c : i32
    memref.store %power, %z[%i] : !ints
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void arithmetic_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, int64_t a, int64_t b,
// CHECK-NEXT:    int32_t c, int32_t d, int8_t small, bool flag, int64_t *x, int8_t *y,
// CHECK-NEXT:    int32_t *z) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t n = context.ranks;
// CHECK-NEXT:    const int64_t rest = int64_t(uint64_t(a) % 5);
// CHECK-NEXT:    const int64_t even = n % 3;
// CHECK-NEXT:    const int64_t w0 = int64_t(uint64_t(a) / uint64_t(b)) + rest + even + a / b;
// CHECK-NEXT:    x[0] = w0;
// CHECK-NEXT:    const int64_t sum4 =
// CHECK-NEXT:        gin::floorDiv(a, 3) - int64_t(gin::ceilDiv(uint64_t(a), 3));
// CHECK-NEXT:    const int64_t w1 = sum4 - 2;
// CHECK-NEXT:    x[1] = w1;
// CHECK-NEXT:    const int64_t product =
// CHECK-NEXT:        gin::min(a, 3) * int64_t(gin::max(uint64_t(b), uint64_t(a)));
// CHECK-NEXT:    x[3] = product;
// CHECK-NEXT:    const bool less = c < d;
// CHECK-NEXT:    const int64_t chosen =
// CHECK-NEXT:        !((uint64_t(a) < uint64_t(b) && n < 5) || less) != flag ? a : 3;
// CHECK-NEXT:    x[5] = chosen;
// CHECK-NEXT:    z[0] = int32_t(uint32_t((c & d) << c) >> d) | (c >> d);
// CHECK-NEXT:    z[1] = gin::countOnes(c);
// CHECK-NEXT:    x[n] = int64_t(small) + int64_t(uint8_t(small));
// CHECK-NEXT:    y[0] = int8_t(small + small);
// CHECK-NEXT:    y[1] = int8_t(c);
// CHECK-NEXT:    const bool bit = (c & 1) != 0;
// CHECK-NEXT:    z[3] = int32_t(bit) + int32_t(-bit);
// CHECK-NEXT:    const int32_t low = c * d;
// CHECK-NEXT:    const int32_t high = gin::mulHighUnsigned<int32_t>(c, d);
// CHECK-NEXT:    z[5] = low;
// CHECK-NEXT:    z[n] = high;
// CHECK-NEXT:    const int64_t shigh = gin::mulHigh<int64_t>(w0, w1);
// CHECK-NEXT:    x[rest] = shigh;
// CHECK-NEXT:    const bool carry = gin::carries<int32_t>(c, d);
// CHECK-NEXT:    z[rest] = int32_t(carry);
// CHECK-NEXT:    x[even] = a * 4 + gin::floorDiv<int64_t>(b, 2) - n;
// CHECK-NEXT:    const int64_t i = int64_t(gin::max(uint64_t(a), uint64_t(b)));
// CHECK-NEXT:    const int64_t j = gin::ceilDiv(i, 3);
// CHECK-NEXT:    const bool k = j < a;
// CHECK-NEXT:    x[j] = (k ? j : a) ^ INT64_MIN;
// CHECK-NEXT:    z[j] = int32_t((((flag && k) || carry) || bit) && less);
// CHECK-NEXT:    z[i] = gin::power(d, c);
// CHECK-NEXT:  });
// CHECK-NEXT:}

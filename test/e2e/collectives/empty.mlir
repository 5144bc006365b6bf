//===- empty.mlir - windows without elements, by their types --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7
// RUN: ginc run %s --algorithm tree --ranks 1

!row = memref<0xi64, #gin.window>
!rows = memref<?x0xi64, #gin.window>
!block = memref<7x0x13xbf16, #gin.window>
!blocks = memref<?x7x0x13xbf16, #gin.window>
!choices = memref<6x3xi32, #gin.window>
!none = memref<6x0xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!tokens = memref<6x4xf32, #gin.window>
!shapeless = memref<6x0xf32, #gin.window>

func.func @empty(%x: !row, %y: !row, %all: !rows, %turned: !rows, %b: !block, %bs: !blocks, %bt: !blocks,
                 %choices: !choices, %weights: memref<6x3xf32, #gin.window>,
                 // tokens without elements
                 %nothing: !shapeless, %received: memref<?x2x3x0xf32, #gin.window>, %counts: !counts,
                 %places: !choices, %back: !shapeless,
                 // experts without capacity
                 %tokens: !tokens, %full: memref<?x2x0x4xf32, #gin.window>, %full_counts: !counts,
                 %full_places: !choices, %sum: !tokens,
                 // no choices, no experts, no tokens
                 %no_choices: !none, %no_places: !none, %no_weights: !shapeless,
                 %ready: memref<?x2x3x4xf32, #gin.window>, %ready_counts: !counts, %zeros: !tokens,
                 %nobody: memref<?x0x3x4xf32, #gin.window>, %nobody_counts: memref<?x0xi32, #gin.window>,
                 %nobody_places: !choices, %nobody_sum: !tokens,
                 %no_tokens: memref<0x4xf32, #gin.window>, %idle: memref<0x3xi32, #gin.window>,
                 %idle_places: memref<0x3xi32, #gin.window>, %idle_counts: !counts)
    attributes {gin.run = {
      dims = {all = "ranks, 0", turned = "ranks, 0", bs = "ranks, 7, 0, 13", bt = "ranks, 7, 0, 13",
              received = "ranks, 2, 3, 0", counts = "ranks, 2", full = "ranks, 2, 0, 4",
              full_counts = "ranks, 2", ready = "ranks, 2, 3, 4", ready_counts = "ranks, 2",
              nobody = "ranks, 0, 3, 4", nobody_counts = "ranks, 0", idle_counts = "ranks, 2"},
      args = {choices = "integers:-1:8:1", weights = "random:2", tokens = "random:3", places = "9",
              counts = "9", full_counts = "9", full_places = "9", sum = "9", ready_counts = "9",
              zeros = "9", nobody_places = "9", nobody_sum = "9", idle_counts = "9"},
      reference = "empty.py"}} {
  gin.all_gather %x into %all : !row into !rows
  gin.all_to_all %all into %turned : !rows into !rows
  gin.all_reduce sum %x into %y : !row into !row
  gin.reduce_scatter sum %all into %y : !rows into !row
  gin.all_gather %b into %bs : !block into !blocks
  gin.all_to_all %bs into %bt : !blocks into !blocks
  gin.all_reduce max %b into %b : !block into !block
  gin.reduce_scatter prod %bs into %b : !blocks into !block

  gin.dispatch %nothing, %choices into %received, %counts, %places
    : !shapeless, !choices into memref<?x2x3x0xf32, #gin.window>, !counts, !choices
  gin.combine %received, %choices, %places, %weights into %back
    : memref<?x2x3x0xf32, #gin.window>, !choices, !choices, memref<6x3xf32, #gin.window>
      into !shapeless

  gin.dispatch %tokens, %choices into %full, %full_counts, %full_places
    : !tokens, !choices into memref<?x2x0x4xf32, #gin.window>, !counts, !choices
  gin.combine %full, %choices, %full_places, %weights into %sum
    : memref<?x2x0x4xf32, #gin.window>, !choices, !choices, memref<6x3xf32, #gin.window>
      into !tokens

  gin.dispatch %tokens, %no_choices into %ready, %ready_counts, %no_places
    : !tokens, !none into memref<?x2x3x4xf32, #gin.window>, !counts, !none
  gin.combine %ready, %no_choices, %no_places, %no_weights into %zeros
    : memref<?x2x3x4xf32, #gin.window>, !none, !none, !shapeless into !tokens

  gin.dispatch %tokens, %choices into %nobody, %nobody_counts, %nobody_places
    : !tokens, !choices
      into memref<?x0x3x4xf32, #gin.window>, memref<?x0xi32, #gin.window>, !choices
  gin.combine %nobody, %choices, %nobody_places, %weights into %nobody_sum
    : memref<?x0x3x4xf32, #gin.window>, !choices, !choices, memref<6x3xf32, #gin.window>
      into !tokens

  gin.dispatch %no_tokens, %idle into %ready, %idle_counts, %idle_places
    : memref<0x4xf32, #gin.window>, memref<0x3xi32, #gin.window>
      into memref<?x2x3x4xf32, #gin.window>, !counts, memref<0x3xi32, #gin.window>
  return
}

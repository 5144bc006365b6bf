// Descriptions as they should not be, for doc-examples.test.

def Gin_WrongOp : Gin_Op<"wrong"> {
  let description = [{
    Two examples.

    ```mlir
    %n = gin.num_ranks
    %p = gin.neighbor %n
    gin.wait %s[%p] : !gin.signals<8>
    ```
  }];
}

def Gin_InvalidOp : Gin_Op<"invalid"> {
  let description = [{
    ```mlir
    gin.wait %s[%q] >= %n : !gin.signals<8>
    gin.wait %s[%q, 0] >= %n : !gin.signals<8>
    gin.await %t
    ```
  }];
}

def Gin_SilentOp : Gin_Op<"silent"> {
  let description = [{
    Says nothing.
  }];
}

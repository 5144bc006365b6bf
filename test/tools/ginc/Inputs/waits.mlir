func.func @waits(%s: !gin.signals<1>) {
  gin.wait %s[0] >= 1 timeout 100000000 : !gin.signals<1>
  return
}

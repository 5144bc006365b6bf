!signals = !gin.signals<4>
func.func @unconsumed(%s: !signals, %weight: index) {
  %right = gin.neighbor 1
  gin.signal %s[2] on %right add %weight : !signals
  gin.wait %s[2] >= 3 : !signals
  return
}

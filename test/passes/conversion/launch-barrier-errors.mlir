// RUN: gin-opt %s --verify-diagnostics --gin-launch-barrier=mode=never

// expected-error @below {{'func.func' op may be disturbed by a rank that is in its next launch already: nothing proves the contrary, and the barrier at the entry is off (mode=never); give the reason why it is safe, or use mode=auto}}
func.func @exchanges(%s: !gin.signals<1>) {
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}

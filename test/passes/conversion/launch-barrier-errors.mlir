// RUN: gin-opt %s --verify-diagnostics --gin-launch-barrier=mode=never

// expected-error @below {{'func.func' op may be disturbed by a rank that is in its next launch already: nothing proves the contrary, and the barrier at the entry is off (never); say why it is safe by the option reason (--launch-barrier-reason of ginc), or choose auto}}
func.func @exchanges(%s: !gin.signals<1>) {
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}

func.func private @host(index)
func.func @external(%n: index) {
  call @host(%n) : (index) -> ()
  return
}

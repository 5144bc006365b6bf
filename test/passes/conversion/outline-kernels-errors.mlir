// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-map-to-kernel

func.func @wait(%s: !gin.signals<1>) {
  // expected-error @+1 {{'gin.wait' op stands outside of the program's kernels, where the host launches them, puts and gets, and computes what they need; move it into a gin.kernel}}
  gin.wait %s[0] >= 1 : !gin.signals<1>
  gin.kernel {
  }
  return
}

// -----

func.func @load(%x: memref<8xindex, #gin.window>, %s: !gin.signals<8>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'memref.load' op stands outside of the program's kernels}}
  %slot = memref.load %x[%c0] : memref<8xindex, #gin.window>
  gin.kernel {
    gin.signal %s[%slot] on 0 : !gin.signals<8>
  }
  return
}

// -----

!window = memref<8xf32, #gin.window>
func.func @bundled(%x: !window, %w: !window, %s: !gin.signals<1>) {
  // expected-error @+1 {{'gin.put' op stands outside of the program's kernels with a signal, which copy engines do not send; signal in a gin.kernel after it}}
  gin.put %x into %w[0] on 0 signal %s[0] : !window into !window, !gin.signals<1>
  gin.kernel {
  }
  return
}

// -----

!window = memref<8xf32, #gin.window>
func.func @adds(%x: !window, %w: !window) {
  // expected-error @+1 {{'gin.put' op stands outside of the program's kernels and adds, which copy engines do not; put it in a gin.kernel}}
  gin.put %x into %w[0] on 0 accumulate : !window into !window
  gin.kernel {
  }
  return
}

// -----

func.func @warps() {
  // expected-error @+1 {{'gin.specialize' op has a role of warps outside of kernels, where roles are streams; give it CTAs, or put the roles in a gin.kernel}}
  gin.specialize {
    role "a" warps 2 {
      gin.kernel {
      }
    }
  }
  return
}

// -----

func.func @nested() {
  gin.specialize {
    role "a" {
      // expected-error @+1 {{'gin.specialize' op stands in a role that is a stream; roles are not divided further, so put it in a gin.kernel}}
      gin.specialize {
        role "b" {
          gin.kernel {
          }
        }
      }
    }
  }
  return
}

// -----

func.func @many() {
  // expected-error @+1 {{'gin.specialize' op has 9 roles outside of kernels, each a stream, and a launch has at most 8}}
  gin.specialize {
    role "1" {
      gin.kernel {
      }
    }
    role "2" {
    }
    role "3" {
    }
    role "4" {
    }
    role "5" {
    }
    role "6" {
    }
    role "7" {
    }
    role "8" {
    }
    role "9" {
    }
  }
  return
}

// -----

func.func @barriers(%s: !gin.signals<1>) {
  gin.specialize {
    role "a" {
      gin.kernel {
        // expected-note @+1 {{this is the other one}}
        gin.barrier
        gin.barrier team row of ?x2
      }
    }
    role "b" {
      gin.kernel {
        gin.barrier team column of ?x2
        // expected-error @+1 {{'gin.barrier' op is of the same team as one in another role, which runs at the same time; have one role meet, or put it before or after the roles}}
        gin.barrier
      }
    }
  }
  return
}

// -----

func.func @too_few(%s: !gin.signals<2>) {
  gin.specialize {
    role "a" ctas 1 {
      // expected-error @+1 {{a kernel of 1 blocks, as its role has CTAs, has roles that need 2; give the outer role as many}}
      gin.kernel {
        gin.specialize {
          role "b" {
            gin.signal %s[0] on 0 : !gin.signals<2>
          }
          role "c" {
            gin.signal %s[1] on 0 : !gin.signals<2>
          }
        }
      }
    }
  }
  return
}

// -----

!window = memref<8xf32, #gin.window>
func.func @choice(%x: !window, %y: !window, %c: i1) {
  %one = arith.constant 1.0 : f32
  // expected-note @+1 {{the value comes from here}}
  %z = scf.if %c -> !window {
    scf.yield %x : !window
  } else {
    scf.yield %y : !window
  }
  gin.kernel {
    // expected-error @+1 {{'linalg.fill' op takes a value of type 'memref<8xf32, #gin.window>' into a kernel from a loop or branch of the host; make it in the kernel}}
    linalg.fill ins(%one : f32) outs(%z : !window)
  }
  return
}

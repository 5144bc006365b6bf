// RUN: gin-translate --gin-to-cuda --split-input-file --verify-diagnostics %s

module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%s: !gin.signals<1>) kernel {
      gpu.return
    }
  }
  func.func @f(%s: !gin.signals<1>, %blocks: index) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be emitted as part of a launcher, which computes with whole numbers, sizes and ranks, launches kernels, puts and gets; move it into a gin.kernel}}
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : !gin.signals<1>)
    return
  }
}

// -----

// A graph is launched again and again, and this function is not.
module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%s: !gin.signals<1>, %n: index) kernel {
      gpu.return
    }
  }
  func.func @f(%s: !gin.signals<1>, %blocks: index) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be emitted as part of a launcher}}
    %n = gin.launch
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : !gin.signals<1>, %n : index)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%s: !gin.signals<1>, %n: f32) kernel {
      gpu.return
    }
  }
  func.func @f(%s: !gin.signals<1>, %blocks: index) {
    %c1 = arith.constant 1 : index
    %c = arith.cmpi eq, %blocks, %c1 : index
    // expected-error @below {{cannot be emitted as part of a launcher}}
    %n = arith.uitofp %c : i1 to f32
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%s : !gin.signals<1>, %n : f32)
    return
  }
}

// -----

!window = memref<8xf32, #gin.window>
module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%x: !window, %y: !window) kernel {
      gpu.return
    }
  }
  func.func @f(%x: !window, %y: !window, %blocks: index) {
    %c1 = arith.constant 1 : index
    %c = arith.cmpi eq, %blocks, %c1 : index
    // expected-error @below {{yields a memref, which cannot be emitted as part of a launcher; put and get where the memref is known}}
    %z = scf.if %c -> !window {
      scf.yield %x : !window
    } else {
      scf.yield %y : !window
    }
    gin.put %z into %x[0] on 0 : !window into !window
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : !window, %y : !window)
    return
  }
}

// -----

!window = memref<8xf32, #gin.window>
module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%x: !window) kernel {
      gpu.return
    }
  }
  // expected-error @below {{does not end with the launch of a kernel, which would end the launch of the program}}
  func.func @f(%x: !window, %blocks: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : !window)
    gin.put %x into %x[0] on 0 : !window into !window
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @f_a {
    // expected-error @below {{takes other arguments than the function that launches it; kernels take all of them first, in their order}}
    gpu.func @f_a() kernel {
      gpu.return
    }
  }
  // expected-note @below {{this is the function}}
  func.func @f(%s: !gin.signals<1>, %blocks: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a(%s: !gin.signals<1>, %t: !gin.signals<1>) kernel {
      gpu.return
    }
  }
  func.func @f(%s: !gin.signals<1>, %t: !gin.signals<1>, %blocks: index) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{hands on other arguments than its function has; kernels take all of them first, in their order}}
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : !gin.signals<1>, %s : !gin.signals<1>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a() kernel {
      gpu.return
    }
  }
  // expected-error @below {{launches kernels, and its last argument is not the number of their blocks, an index}}
  func.func @f() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f_a::@f_a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @f_a {
    gpu.func @f_a() kernel {
      gpu.return
    }
  }
  // expected-note @below {{this is the first one}}
  func.func @f(%blocks: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  // expected-error @below {{is the second function that launches kernels, and one can be emitted}}
  func.func @g(%blocks: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f_a::@f_a blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// The attribute gin.litmus: what its keys hold.
// RUN: gin-opt --split-input-file --verify-diagnostics %s

func.func @good() attributes {gin.litmus = {ranks = 2, launches = 3, host = @h, exact,
    registers = ["r"], allow = ["r=1"], forbid = [], verdict = ["race y@1"]}} { return }
func.func private @h() { return }

// -----

// expected-error@below {{'gin.litmus' must be a dictionary on a function}}
func.func @f() attributes {gin.litmus} { return }

// -----

// expected-error@below {{'gin.litmus' has no key 'rank'; there are ranks, launches, host, registers, allow, exact, forbid and verdict}}
func.func @f() attributes {gin.litmus = {rank = 2}} { return }

// -----

// expected-error@below {{'ranks' in 'gin.litmus' must be a positive integer}}
func.func @f() attributes {gin.litmus = {ranks = 0}} { return }

// -----

// expected-error@below {{'launches' in 'gin.litmus' must be a positive integer}}
func.func @f() attributes {gin.litmus = {launches = "2"}} { return }

// -----

// expected-error@below {{'allow' in 'gin.litmus' must be a list of strings}}
func.func @f() attributes {gin.litmus = {allow = "r=1"}} { return }

// -----

// expected-error@below {{'host' in 'gin.litmus' must be a function, such as @host}}
func.func @f() attributes {gin.litmus = {host = "h"}} { return }

// -----

// expected-error@below {{'exact' in 'gin.litmus' must be without a value}}
func.func @f() attributes {gin.litmus = {exact = 1}} { return }

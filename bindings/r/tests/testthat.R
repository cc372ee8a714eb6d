library(testthat)
library(gibbous)

test_check("gibbous")

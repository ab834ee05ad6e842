#include "tournament/rating.h"
#include <criterion/criterion.h>
TestSuite(rating);
Test(rating, x){ }

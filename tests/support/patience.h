#ifndef TESTS_SUPPORT_PATIENCE_H
#define TESTS_SUPPORT_PATIENCE_H

/* How long a test waits for what is bound to come. A machine that does twenty other things at once takes
 * its time, so nothing but a failure may take as long as this. */

#define PATIENCE_SECONDS 300
#define PATIENCE_US (INT64_C(1000000) * PATIENCE_SECONDS)

/* Of a whole suite or test that waits: for TestSuite(…, .timeout = …). */
#define PATIENCE_TEST_SECONDS (2 * PATIENCE_SECONDS)

#endif

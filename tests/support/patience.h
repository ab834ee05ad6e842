#ifndef TESTS_SUPPORT_PATIENCE_H
#define TESTS_SUPPORT_PATIENCE_H

/* How long a test waits for an event that must come. A busy machine may be slow, so only a failure
 * may take this long. */

#define PATIENCE_SECONDS 600
#define PATIENCE_US (INT64_C(1000000) * PATIENCE_SECONDS)

/* For a whole suite or test that waits: TestSuite(…, .timeout = …). */
#define PATIENCE_TEST_SECONDS (2 * PATIENCE_SECONDS)

#endif

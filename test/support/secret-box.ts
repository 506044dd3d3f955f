import { createSecretBox } from "../../src/credentials/secret-box.ts";

/** The key with which a separate process decrypts the secrets of such a service. */
export const TEST_SECRET_KEY = "a key for tests, which has 32 characters";

/** The box of every service in a test's process: creating one is slow on purpose, and a process needs only one. */
export const testSecretBox = createSecretBox(TEST_SECRET_KEY);

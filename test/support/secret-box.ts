import { createSecretBox } from "../../src/credentials/secret-box.ts";

/** What a process of its own opens the secrets of such a service with. */
export const TEST_SECRET_KEY = "a key for tests, which has 32 characters";

/** The box of every service that a test runs in its own process: making one is slow on purpose, and a process needs only one. */
export const testSecretBox = createSecretBox(TEST_SECRET_KEY);

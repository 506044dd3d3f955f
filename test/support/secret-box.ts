import { createSecretBox } from "../../src/credentials/secret-box.ts";

/** The box of every service that a test runs in its own process: making one is slow on purpose, and a process needs only one. */
export const testSecretBox = createSecretBox("a key for tests");

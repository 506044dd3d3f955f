import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";

afterEach(() => onlineManager.setOnline(true));

test("a change without a connection is tried at once, and never again by itself", async () => {
  const client = createQueryClient();
  client.mount();
  onlineManager.setOnline(false);
  let sent = 0;
  const change = new MutationObserver(client, {
    mutationFn: () => {
      sent += 1;
      return Promise.reject(new Error("no connection"));
    },
  });
  await expect(change.mutate()).rejects.toThrow("no connection");
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect({ sent, paused: change.getCurrentResult().isPaused }).toEqual({ sent: 1, paused: false });
  client.unmount();
});

import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { PROBLEMS } from "../../src/problems.ts";
import { ApiError } from "./api-error.ts";
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

test("after a form is refused because of a change meanwhile, what is stored is read again; not after other conflicts", async () => {
  const client = createQueryClient();
  let reads = 0;
  const shown = new QueryObserver(client, { queryKey: ["alerts"], queryFn: () => (reads += 1) });
  const stop = shown.subscribe(() => undefined);
  await client.getQueryCache().find({ queryKey: ["alerts"] })?.promise;
  const readsAfter = async (title: string) => {
    const save = new MutationObserver(client, { mutationFn: () => Promise.reject(new ApiError(409, title)) });
    await save.mutate().catch(() => undefined);
    await client.getQueryCache().find({ queryKey: ["alerts"] })?.promise;
    return reads;
  };
  expect(await readsAfter("Another conflict")).toBe(1);
  expect(await readsAfter(PROBLEMS.changed_meanwhile[1])).toBe(2);
  stop();
});

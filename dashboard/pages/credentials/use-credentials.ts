import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  CredentialRow,
  ShownAuthFailures,
  ShownStorefront,
  StoreKeyState,
} from "../../../src/admin/credentials/schema.ts";
import { apiSend, dataQuery } from "../../api/client.ts";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";

const CREDENTIALS = { queryKey: ["credentials"], queryFn: dataQuery<CredentialRow[]>("/credentials") };
const STORE_KEY = { queryKey: ["credentials", "store-key"], queryFn: dataQuery<StoreKeyState>("/store-key") };
const FAILURES = { queryKey: ["credentials", "failures"], queryFn: dataQuery<ShownAuthFailures>("/auth-failures") };
const STOREFRONT = { queryKey: ["credentials", "storefront"], queryFn: dataQuery<ShownStorefront>("/storefront") };

/** The queries that the page starts first. */
export const CREDENTIAL_QUERIES = [CREDENTIALS, STORE_KEY, FAILURES, STOREFRONT] as const;

/** Every credential, revoked ones last. */
export function useCredentials() {
  return useQuery(CREDENTIALS);
}

/** Whether the API secret key is being rotated. */
export function useStoreKey() {
  return useQuery(STORE_KEY);
}

/** Requests from unknown senders. */
export function useAuthFailures() {
  return useQuery(FAILURES);
}

/** Storefront keys, and the origins whose pages may use customer tokens. */
export function useStorefront() {
  return useQuery(STOREFRONT);
}

export interface CredentialSend {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Sends a change, reads everything here again, then calls `onDone`. The fault of a field is shown beside it. */
export function useCredentialChange<T>(onDone: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: CredentialSend) => apiSend<T>(method, path, body ?? {}),
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: ["credentials"] });
    },
    onError: notifyUnlessField,
  });
}

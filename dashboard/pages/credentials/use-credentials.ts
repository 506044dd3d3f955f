import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  CredentialRow,
  ShownAuthFailures,
  ShownStorefront,
  StoreKeyState,
} from "../../../src/admin/credentials/schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet, apiSend } from "../../api/client.ts";
import { notifyFailed } from "../../ui/notify-failed.tsx";

/** Every credential, revoked ones last. */
export function useCredentials() {
  return useQuery({
    queryKey: ["credentials"],
    queryFn: async ({ signal }) => (await apiGet<{ data: CredentialRow[] }>("/credentials", {}, signal)).data,
  });
}

/** Whether the API secret key is being rotated. */
export function useStoreKey() {
  return useQuery({
    queryKey: ["credentials", "store-key"],
    queryFn: async ({ signal }) => (await apiGet<{ data: StoreKeyState }>("/store-key", {}, signal)).data,
  });
}

/** Requests whose sender was not known. */
export function useAuthFailures() {
  return useQuery({
    queryKey: ["credentials", "failures"],
    queryFn: async ({ signal }) => (await apiGet<{ data: ShownAuthFailures }>("/auth-failures", {}, signal)).data,
  });
}

/** Storefront keys, and the origins whose pages may use tokens of customers. */
export function useStorefront() {
  return useQuery({
    queryKey: ["credentials", "storefront"],
    queryFn: async ({ signal }) => (await apiGet<{ data: ShownStorefront }>("/storefront", {}, signal)).data,
  });
}

export interface CredentialSend {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Changes something, reads everything here anew, then `onDone`. What is wrong with a field is shown beside it. */
export function useCredentialChange<T>(onDone: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: CredentialSend) => apiSend<T>(method, path, body ?? {}),
    onSuccess: async (answer) => {
      onDone(answer);
      await client.invalidateQueries({ queryKey: ["credentials"] });
    },
    onError: (error) => {
      const hasField = error instanceof ApiError && error.faults.some((fault) => (fault.pointer ?? "") !== "");
      if (!hasField) notifyFailed(error);
    },
  });
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";
import { notifyUnlessField } from "../../ui/states/notify-failed.tsx";

/** The passkeys and recovery codes of the account. */
export const FACTORS_KEY = ["account", "factors"] as const;

/** Changes the account, reads the session again, then calls `onDone`. The fault of a field is shown beside it. */
export function useAccount<T = void>(method: "POST" | "PUT" | "DELETE", path: string, onDone: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => apiSend<T>(method, path, body),
    onSuccess: async (answer) => {
      await client.invalidateQueries({ queryKey: SESSION_KEY });
      onDone(answer);
    },
    onError: notifyUnlessField,
  });
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { apiSend } from "../../api/client.ts";
import { SESSION_KEY } from "../../api/session.ts";

interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

type Refusal =
  | { readonly kind: "locked"; readonly until: number }
  | { readonly kind: "wrong" | "wrongCode" | "other"; readonly error: unknown };

const SECOND_MS = 1_000;

function asksForCode(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.faults.some((f) => f.detail === "code required");
}

function refusalOf(error: unknown, hadCode: boolean): Refusal {
  if (!(error instanceof ApiError)) return { kind: "other", error };
  if (error.status === 429) return { kind: "locked", until: Date.now() + (error.retryAfterS ?? 60) * SECOND_MS };
  if (error.status === 401) return { kind: hadCode ? "wrongCode" : "wrong", error };
  return { kind: "other", error };
}

/** Signs in; says when a code is wanted too, and why an attempt was refused. */
export function useSignIn() {
  const client = useQueryClient();
  const [wantsCode, setWantsCode] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (attempt: Attempt) => apiSend("POST", "/session", attempt),
    onMutate: () => setRefusal(null),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
    onError: (error, attempt) => {
      if (asksForCode(error) && attempt.code === undefined) setWantsCode(true);
      else setRefusal(refusalOf(error, attempt.code !== undefined));
    },
  });
  const startOver = () => {
    setWantsCode(false);
    setRefusal(null);
  };
  return { mutate, isPending, wantsCode, refusal, startOver };
}

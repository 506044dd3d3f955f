import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { apiSend } from "../../api/client.ts";
import { askForPasskey, isPasskeyCancelled } from "../../api/passkeys.ts";
import { SESSION_KEY } from "../../api/session.ts";

interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
  /** A passkey is required in addition to the password. */
  readonly withPasskey?: boolean;
}

type Refusal =
  | { readonly kind: "locked"; readonly until: number }
  | { readonly kind: "wrong" | "wrongCode" | "wrongPasskey" | "cancelled" | "other"; readonly error: unknown };

/** What is required in addition to the password. */
export interface SecondStep {
  readonly byCode: boolean;
  readonly byPasskey: boolean;
}

const SECOND_MS = 1_000;

function secondStepOf(error: unknown): SecondStep | null {
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  const has = (detail: string) => error.faults.some((fault) => fault.detail === detail);
  const step = { byCode: has("code required"), byPasskey: has("passkey required") };
  return step.byCode || step.byPasskey ? step : null;
}

function refusalOf(error: unknown, kind: "wrong" | "wrongCode" | "wrongPasskey"): Refusal {
  if (isPasskeyCancelled(error)) return { kind: "cancelled", error };
  if (!(error instanceof ApiError)) return { kind: "other", error };
  if (error.status === 429) return { kind: "locked", until: Date.now() + (error.retryAfterS ?? 60) * SECOND_MS };
  return { kind: error.status === 401 ? kind : "other", error };
}

async function send({ withPasskey = false, ...attempt }: Attempt): Promise<void> {
  const passkey = withPasskey ? { passkey: await askForPasskey("/session/passkey/challenge") } : {};
  await apiSend("POST", "/session", { ...attempt, ...passkey });
}

/** Signs in; reports if a second step is required, and why an attempt was refused. */
export function useSignIn() {
  const client = useQueryClient();
  const [second, setSecond] = useState<SecondStep | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const onSuccess = () => client.invalidateQueries({ queryKey: SESSION_KEY });
  const onMutate = () => setRefusal(null);
  const byPassword = useMutation({
    mutationFn: send,
    onMutate,
    onSuccess,
    onError: (error, attempt) => {
      const step = secondStepOf(error);
      if (step !== null && attempt.code === undefined && attempt.withPasskey !== true) setSecond(step);
      else
        setRefusal(
          refusalOf(error, attempt.withPasskey === true ? "wrongPasskey" : second === null ? "wrong" : "wrongCode"),
        );
    },
  });
  const byPasskey = useMutation({
    mutationFn: async () =>
      apiSend("POST", "/session/passkey", { passkey: await askForPasskey("/session/passkey/challenge") }),
    onMutate,
    onSuccess,
    onError: (error) => setRefusal(refusalOf(error, "wrongPasskey")),
  });
  const startOver = () => {
    setSecond(null);
    setRefusal(null);
  };
  const isPending = byPassword.isPending || byPasskey.isPending;
  return { mutate: byPassword.mutate, signInByPasskey: byPasskey.mutate, isPending, second, refusal, startOver };
}

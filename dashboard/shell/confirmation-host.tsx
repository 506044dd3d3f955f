import { lazy, Suspense, useEffect, useState } from "react";
import { loadCode } from "../api/code.ts";
import { whenConfirmationIsNeeded } from "../api/confirmation.ts";

const ConfirmationDialog = lazy(
  loadCode(() => import("./confirmation-dialog.tsx").then((m) => ({ default: m.ConfirmationDialog }))),
);

/** Asks for the password or a code when the service requires a confirmation; the dialog's code is loaded then. */
export function ConfirmationHost() {
  const [asked, setAsked] = useState<{ readonly answer: (isConfirmed: boolean) => void } | null>(null);
  useEffect(() => whenConfirmationIsNeeded(() => new Promise<boolean>((answer) => setAsked({ answer }))), []);
  if (asked === null) return null;
  const done = (isConfirmed: boolean) => {
    setAsked(null);
    asked.answer(isConfirmed);
  };
  return (
    <Suspense>
      <ConfirmationDialog onDone={done} />
    </Suspense>
  );
}

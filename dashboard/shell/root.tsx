import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Activity, lazy, Suspense, useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { SessionState } from "../../src/admin/session/schema.ts";
import type { Language } from "../../src/wire/language.ts";
import { loadCode } from "../api/code.ts";
import { refuseConfirmation } from "../api/confirmation.ts";
import { PageSession, SESSION_KEY, sessionOf, takeSignedOut, useSessionData } from "../api/session.ts";
import { DeferredRender } from "../ui/layout/deferred-render.tsx";
import { ErrorState } from "../ui/states/error-state.tsx";
import { useLanguage } from "../words/language.tsx";
import { focusFault } from "./focus-fault.ts";
import { keepFocus } from "./keep-focus.ts";
import { printInLight } from "./print-in-light.ts";
import { useReturnPath } from "./use-return-path.ts";
import { useSharedSession } from "./use-shared-session.ts";
import { useStoreColor } from "./use-store-color.ts";
import { useUnloadGuard } from "./use-unload-guard.ts";

const SignInPage = lazy(loadCode(() => import("../pages/sign-in/page.tsx").then((m) => ({ default: m.SignInPage }))));
const InvitationPage = lazy(
  loadCode(() => import("../pages/invitation/page.tsx").then((m) => ({ default: m.InvitationPage }))),
);
const ChoicePage = lazy(
  loadCode(() => import("../pages/choose-password/page.tsx").then((m) => ({ default: m.ChoosePasswordPage }))),
);
const TotpNeededPage = lazy(
  loadCode(() => import("../pages/account/totp-needed-page.tsx").then((m) => ({ default: m.TotpNeededPage }))),
);
const SetupPage = lazy(loadCode(() => import("../pages/setup/page.tsx").then((m) => ({ default: m.SetupPage }))));

/**
 * Shows the sign-in instead of any page, at that page's address, until a person has signed in. A page whose session has ended is kept behind the
 * sign-in for the same person, with its input. If there are no people yet, the first one is created. An invitation link shows the choice of a
 * password, whoever is signed in. A person with a generated password first has to choose another, and a person who must have a second factor then has
 * to turn it on.
 */
export function Root() {
  const client = useQueryClient();
  const { data, error, refetch } = useSessionData();
  useLanguageOfStaff(data?.staff?.language ?? null);
  useSharedSession(data);
  const reader = useReader(data);
  useReturnPath(data?.staff != null);
  useEffect(keepFocus, []);
  useEffect(() => focusFault(client), [client]);
  useEffect(printInLight, []);
  useUnloadGuard(); // also for a page that is kept behind the sign-in
  const current = useMemo(() => sessionOf(data ?? null), [data]);
  const ended = useMemo(() => sessionOf(reader), [reader]);
  const kept = current ?? ended;
  useStoreColor((kept?.store.theme ?? data?.theme)?.color ?? null);
  const isInvitation = useRouterState({ select: (state) => state.location.pathname === "/invitation" });
  if (data === undefined) return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  const { staff } = data;
  const isInside = staff !== null && !staff.has_made_password && !data.totp_needed && !isInvitation;
  if (staff !== null && staff.uid !== reader?.staff?.uid) return null;
  return (
    <>
      {reader === null || (staff !== null && !isInside) || isInvitation ? null : (
        <PageSession value={kept}>
          <Activity key={reader.staff?.uid} mode={isInside ? "visible" : "hidden"}>
            <DeferredRender>
              <Outlet />
            </DeferredRender>
          </Activity>
        </PageSession>
      )}
      {isInside ? null : (
        <PageSession value={current}>
          <Suspense>{entranceOf(data, isInvitation, reader !== null)}</Suspense>
        </PageSession>
      )}
    </>
  );
}

/** `hasPage`: a page is kept for the person who signs in again. */
function entranceOf(data: SessionState, isInvitation: boolean, hasPage: boolean) {
  const { staff, setup_needed: isNew, totp_needed: needsTotp } = data;
  if (isInvitation) return <InvitationPage />;
  if (staff !== null) return needsTotp && !staff.has_made_password ? <TotpNeededPage /> : <ChoicePage />;
  return isNew ? <SetupPage /> : <SignInPage hasEnded={hasPage} />;
}

function useLanguageOfStaff(chosen: Language | null): void {
  const { setLanguage } = useLanguage();
  useEffect(() => {
    if (chosen !== null) setLanguage(chosen);
  }, [chosen, setLanguage]);
}

/**
 * Returns the session whose page is shown or kept. One person's data is not kept for the next, who may sign in elsewhere in the same browser, and
 * nothing is kept after signing out: it is removed before anything is shown.
 */
function useReader(data: SessionState | undefined): SessionState | null {
  const client = useQueryClient();
  const [reader, setReader] = useState<SessionState | null>(null);
  useLayoutEffect(() => {
    if (data === undefined || data === reader) return;
    const isEnded = data.staff === null;
    const isKept = isEnded && !takeSignedOut();
    if (isKept) return;
    if (reader !== null && reader.staff?.uid !== data.staff?.uid) {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
      refuseConfirmation();
    }
    setReader(isEnded ? null : data);
  }, [client, data, reader]);
  return reader;
}

import { useRouter, useRouterState } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/** Sets parts of the state in the address. `isStep`: the back button undoes it, whatever it changes. */
type SetUrlState<T> = (change: { readonly [K in keyof T]?: string }, options?: { readonly isStep?: boolean }) => void;

/**
 * The state of a list in the address: texts by name, without default values. A change replaces the address, except that a change of `after` (the next
 * page) can be undone with the back button. A change of anything else returns to the first page, unless it sets `after`.
 */
export function useUrlState<T extends Readonly<Record<string, string>>>(
  defaults: T,
): readonly [{ readonly [K in keyof T]: string }, SetUrlState<T>] {
  const router = useRouter();
  const search = useRouterState({ select: (state): Record<string, unknown> => state.location.search });
  const known = JSON.stringify(defaults);
  // cast: the text was written from a T
  const state = useMemo(() => urlState(JSON.parse(known) as T, search), [known, search]);
  const setState = useCallback<SetUrlState<T>>(
    (change, { isStep = false } = {}) => {
      const { after = "" }: { after?: string | undefined } = change;
      const isPage = after !== "" && after !== router.latestLocation.search.after;
      const search = (before: Record<string, unknown>) => changed(JSON.parse(known), before, change);
      void router.navigate({ to: ".", search, replace: !isPage && !isStep, resetScroll: isPage });
    },
    [router, known],
  );
  return [state, setState];
}

/** Returns the state of a list from the parameters of an address, like `useUrlState`. */
export function urlState<T extends Readonly<Record<string, string>>>(
  defaults: T,
  search: Readonly<Record<string, unknown>>,
): { readonly [K in keyof T]: string } {
  const entries = Object.entries(defaults).map(([name, value]) => {
    const given = search[name];
    return [name, typeof given === "string" ? given : value];
  });
  // cast: there is a text for each name of the defaults
  return Object.fromEntries(entries) as { readonly [K in keyof T]: string };
}

/** Of two changes at the same moment, the second is based on the result of the first, so the earlier state is passed in. */
function changed(
  defaults: Record<string, string>,
  before: Record<string, unknown>,
  change: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const firstPage = "after" in change ? {} : { after: "" };
  const next = Object.entries<unknown>({ ...before, ...firstPage, ...change });
  return Object.fromEntries(
    next.filter(([name, value]) => value !== defaults[name] && !(name === "after" && value === "")),
  );
}

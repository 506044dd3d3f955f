import { useRouter, useRouterState } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

/**
 * The state of a list in the address: texts by name, the given defaults left out of it. A change replaces the address, a change of
 * `after` (the next page) can be gone back from; a change of anything else goes back to the first page, unless it names `after`.
 */
export function useUrlState<T extends Readonly<Record<string, string>>>(
  defaults: T,
): readonly [{ readonly [K in keyof T]: string }, (change: { readonly [K in keyof T]?: string }) => void] {
  const router = useRouter();
  const search = useRouterState({ select: (state): Record<string, unknown> => state.location.search });
  const known = JSON.stringify(defaults);
  // cast: what was written of a T is one
  const state = useMemo(() => urlState(JSON.parse(known) as T, search), [known, search]);
  const setState = useCallback(
    (change: { readonly [K in keyof T]?: string }) => {
      const replace = change["after"] === undefined || change["after"] === "";
      const search = (before: Record<string, unknown>) => changed(JSON.parse(known), before, change);
      void router.navigate({ to: ".", search, replace, resetScroll: !replace });
    },
    [router, known],
  );
  return [state, setState];
}

/** The state of a list by the parameters of an address, as `useUrlState` reads it. */
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

/** Of two changes in one moment, the second begins where the first ended: so it is given what was before. */
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

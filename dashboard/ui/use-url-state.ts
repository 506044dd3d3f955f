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
  const state = useMemo(() => read(JSON.parse(known), search), [known, search]);
  const setState = useCallback(
    (change: { readonly [K in keyof T]?: string }) => {
      const replace = change["after"] === undefined || change["after"] === "";
      const search = (before: Record<string, unknown>) => changed(JSON.parse(known), before, change);
      void router.navigate({ to: ".", search, replace, resetScroll: !replace });
    },
    [router, known],
  );
  // cast: read() answers a text for each name of the defaults
  return [state as { readonly [K in keyof T]: string }, setState];
}

function read(defaults: Record<string, string>, search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => {
      const given = search[name];
      return [name, typeof given === "string" ? given : value];
    }),
  );
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

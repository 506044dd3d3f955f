import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { HomeSetup } from "../../../src/admin/home/schema.ts";
import type { Permission } from "../../../src/staff/permissions.ts";
import { apiSend } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

type SetupStep = HomeSetup["steps"][number];

/** The page on which each step is done, and the permission for it. */
const PAGES: Readonly<Record<SetupStep["step"], { readonly to: string; readonly permission: Permission }>> = {
  store: { to: "/program/store", permission: "view" },
  rate: { to: "/program/earning", permission: "view" },
  tiers: { to: "/program/tiers", permission: "view" },
  expiry: { to: "/program/expiration", permission: "view" },
  platform: { to: "/intake", permission: "view" },
  import: { to: "/csv/imports/new?kind=move", permission: "imports.run" },
  second_owner: { to: "/people", permission: "people.manage" },
};

/** Whether the store still has open steps before it relies on its points. */
export function isSetupOpen({ steps }: HomeSetup): boolean {
  return steps.some(({ is_done }) => !is_done);
}

/** Steps that need an action; the others only need a setting to be checked. */
const MAY_BE_SKIPPED: ReadonlySet<string> = new Set([
  "platform",
  "import",
  "second_owner",
] satisfies SetupStep["step"][]);

/**
 * The first-run checklist: each step with its present value, and the page that changes it. With `onlyOpen`, for a store in operation, finished steps
 * are left out.
 */
export function Checklist({ setup, onlyOpen = false }: { setup: HomeSetup; onlyOpen?: boolean }) {
  const t = useWords(words);
  const done = setup.steps.filter(({ is_done }) => is_done).length;
  return (
    <Section title={t.start} action={<span className={classes["hint"]}>{t.progress(done, setup.steps.length)}</span>}>
      <p className={classes["hint"]}>{setup.has_program ? t.startHintOwn : t.startHint}</p>
      <ol className={classes["steps"]}>
        {setup.steps
          .filter(({ is_done }) => !(onlyOpen && is_done))
          .map((step) => (
            <Step key={step.step} step={step} setup={setup} />
          ))}
      </ol>
    </Section>
  );
}

function Step({ step: { step, is_done, is_confirmed }, setup }: { step: SetupStep; setup: HomeSetup }) {
  const t = useWords(words);
  const { can } = useSession();
  const { to, permission } = PAGES[step];
  const title = t[`setup_${step}`];
  return (
    <li className={classes["step"]}>
      <div>
        {can(permission) ? <PageLink to={to}>{title}</PageLink> : title}
        <span className={classes["present"]}>
          <Present step={step} setup={setup} />
        </span>
        <p className={classes["hint"]}>{t[`setup_${step}_hint`]}</p>
      </div>
      <div className={classes["stepState"]}>
        <StateBadge tone={is_done ? "good" : "neutral"}>{is_done ? t.done : t.open}</StateBadge>
        {can("program.change") && (!is_done || is_confirmed) ? (
          <ConfirmButton step={step} title={title} isConfirmed={is_confirmed} />
        ) : null}
      </div>
    </li>
  );
}

function Present({ step, setup: { present } }: { step: SetupStep["step"]; setup: HomeSetup }) {
  const t = useWords(words);
  const format = useFormat();
  const { store } = useSession();
  switch (step) {
    case "store":
      return [store.name, present.currency, present.time_zone].join(", ");
    case "rate":
      return t.present_rate(format.points(present.point_value), format.money(present.currency_value));
    case "tiers":
      return t.present_tiers(format.number(present.tiers));
    case "expiry":
      return t.present_expiry(present.expiry_months);
    case "platform":
      if (present.last_receipt_at === null) return t.present_never;
      return (
        <>
          {t.present_received} <Time at={present.last_receipt_at} />
        </>
      );
    case "import":
      return null;
    case "second_owner":
      return t.present_owners(format.number(present.owners));
  }
}

interface ConfirmButtonProps {
  step: SetupStep["step"];
  title: string;
  isConfirmed: boolean;
}

function ConfirmButton({ step, title, isConfirmed }: ConfirmButtonProps) {
  const t = useWords(words);
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => apiSend("PUT", `/home/setup/${step}`, { confirmed: !isConfirmed }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["home"] }),
    onError: notifyFailed,
  });
  const confirmLabel = MAY_BE_SKIPPED.has(step) ? t.notNeeded : t.keep;
  const label = isConfirmed ? t.reopen : confirmLabel;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={confirm.isPending}
      onClick={() => confirm.mutate()}
      aria-label={`${title}: ${label}`}
    >
      {label}
    </Button>
  );
}

import { Button } from "@mantine/core";
import { useState } from "react";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { ListActions } from "../../ui/lists/list-actions.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { urlState } from "../../ui/urls/use-url-state.ts";
import { SecretOnce } from "../../ui/values/secret-once.tsx";
import { useWords } from "../../words/use-words.ts";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { ReceiverPanel } from "./receiver-panel.tsx";
import { Receivers } from "./receivers.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { type MadeSecret, SecretContext } from "./use-secret.tsx";
import { deliveriesQuery, filterSearch, NO_FILTER, RECEIVERS_QUERY, useDeliveryFilter } from "./use-webhooks.ts";
import classes from "./webhooks.module.css";
import { words } from "./words.ts";

/** Subscriptions and the state of their deliveries: `/webhooks/topic/<topic>` and `/webhooks/delivery/<uid>` open their panels. */
export function WebhooksPage() {
  const t = useWords(words);
  const mayManage = useSession().can("webhooks.manage");
  const [filter, setFilter] = useDeliveryFilter();
  const [made, setMade] = useState<MadeSecret | null>(null);
  const [isReplaying, setIsReplaying] = useState(false);
  const [kind, id] = [useParam("kind"), useParam("id")];
  const search = filterSearch(filter);
  if (kind !== null && (id === null || (kind !== "delivery" && kind !== "topic"))) return <PageNotFound />;
  const closeTo = `/webhooks${search}`;
  const replay = (
    <Button variant="default" onClick={() => setIsReplaying(true)}>
      {t.replayAll}
    </Button>
  );
  return (
    <SecretContext value={setMade}>
      <Page
        title={t.title}
        action={
          <ListActions
            list="deliveries"
            path="/webhooks"
            file="/webhooks/deliveries.csv"
            filters={filter}
            defaults={NO_FILTER}
          >
            {mayManage ? replay : null}
          </ListActions>
        }
      >
        <div className={classes["parts"]}>
          <Receivers search={search} />
          <Deliveries filter={filter} onChange={setFilter} />
        </div>
        {kind === "delivery" && id !== null ? <DeliveryPanel uid={id} closeTo={closeTo} /> : null}
        {kind === "topic" && id !== null ? <ReceiverPanel slug={id} closeTo={closeTo} /> : null}
        {isReplaying ? <ReplayDialog topic={filter.topic} onClose={() => setIsReplaying(false)} /> : null}
        {made === null ? null : <Secret made={made} onDone={() => setMade(null)} />}
      </Page>
    </SecretContext>
  );
}

WebhooksPage.prefetchedQueries = ({ search }: Address) => [
  RECEIVERS_QUERY,
  deliveriesQuery(urlState(NO_FILTER, search)),
];

function Secret({ made, onDone }: { made: MadeSecret; onDone(): void }) {
  const t = useWords(words);
  return (
    <SecretOnce
      title={t.secretTitle}
      hint={made.isRotated ? t.rotateHint : t.secretHint}
      items={[[t.secret, made.secret]]}
      done={t.kept}
      onDone={onDone}
    />
  );
}

import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FailedAnswer } from "../../../src/admin/webhooks/schema.ts";
import { ConfirmDialog } from "../../ui/layout/confirm-dialog.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { replayAll, useChange, useFailedCount, useReceivers } from "./use-webhooks.ts";
import { words } from "./words.ts";

/** Sends all deliveries again that failed since a day, after showing their number. */
export function ReplayDialog({ topic: first, onClose }: { topic: string; onClose(): void }) {
  const t = useWords(words);
  const format = useFormat();
  const nameOf = useTopicName();
  const topics = useReceivers().data?.map(({ topic }) => topic) ?? [];
  const [topic, setTopic] = useState(first);
  const [since, setSince] = useState("");
  const failed = useFailedCount({ since, topic }).data;
  const count = failed?.count;
  const replay = useChange(replayAll, (replayed) => {
    onClose();
    notifyDone(t.replayedAll(format.number(replayed)));
  });
  const message = count === 0 ? t.replayNone : t.replayCount(failed === undefined ? "…" : countText(failed, format));
  return (
    <ConfirmDialog
      opened
      title={t.replayTitle}
      confirm={t.replay}
      onConfirm={() => (count === 0 ? onClose() : replay.mutate({ since, topic }))}
      onClose={onClose}
      isBusy={replay.isPending || count === undefined}
    >
      <Stack gap={12}>
        <NativeSelect
          label={t.topic}
          data={[{ value: "", label: t.everyTopic }, ...topics.map((value) => ({ value, label: nameOf(value) }))]}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t.replaySince}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <span role="status">{message}</span>
      </Stack>
    </ConfirmDialog>
  );
}

/** A count, or the number up to which was counted: "10,000+". */
function countText({ count, counted_to }: FailedAnswer["data"], format: ReturnType<typeof useFormat>): string {
  return count > counted_to ? `${format.number(counted_to)}+` : format.number(count);
}

import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SecretAnswer } from "../../../src/admin/webhooks/schema.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { Section } from "../../ui/layout/section.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { useWords } from "../../words/use-words.ts";
import { useShowSecret } from "./use-secret.tsx";
import { toSubscription, useChange } from "./use-webhooks.ts";
import { words } from "./words.ts";

/** Subscribes an address to a topic; the secret is shown once. */
export function SubscribeForm({ topic }: { topic: string }) {
  const t = useWords(words);
  const showSecret = useShowSecret();
  const [url, setUrl] = useState("");
  const subscribe = useChange(toSubscription<SecretAnswer>("POST", ""), ({ data }) => {
    notifyDone(data.secret === null ? t.already : t.subscribed);
    if (data.secret !== null) showSecret({ secret: data.secret, isRotated: false });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    subscribe.mutate({ topic, callback_url: url.trim() });
  };
  return (
    <Section title={t.subscribe}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          <TextInput
            type="url"
            label={t.address}
            description={t.addressHint}
            placeholder="https://shop.example.com/hooks/points"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={faultOf(subscribe.error, "/callback_url")}
            maxLength={2048}
            required
          />
          <Group>
            <Button type="submit" loading={subscribe.isPending}>
              {t.subscribe}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

import { expect, test } from "vitest";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { startSmtp } from "../../support/smtp.ts";

test("pointkeeper doctor tries the mail server, and looks for none where none is set", async () => {
  const service = await startTestService({ worker: false, now: Temporal.Now.instant().toString() });
  const smtp = await startSmtp();
  const { host, port, user, database } = service.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: "/nonexistent",
  };
  const checkOf = async (more: Record<string, string>) => {
    const { stdout } = await runCli(["doctor", "--json"], { ...env, ...more });
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "mail server");
  };
  const mail = (userPart = "") => ({
    POINTKEEPER_SMTP_URL: `smtp://${userPart}localhost:${smtp.port}`,
    POINTKEEPER_MAIL_FROM: "points@store.example",
  });
  expect(await checkOf({})).toBeUndefined();
  expect(await checkOf(mail())).toMatchObject({ state: "ok", says: `localhost:${smtp.port} takes mails; 0 wait` });
  const refused = await checkOf(mail("points:wrong@"));
  expect(refused).toMatchObject({ state: "fail", says: expect.stringContaining("EAUTH") });
  const noFile = await checkOf({ ...mail(), POINTKEEPER_SMTP_CA_FILE: "/nonexistent/ca.pem" });
  expect(noFile).toMatchObject({ state: "fail", says: expect.stringContaining("POINTKEEPER_SMTP_CA_FILE cannot be") });
  expect(smtp.mails).toEqual([]);
  await smtp.close();
  expect(await checkOf(mail())).toMatchObject({
    state: "fail",
    says: expect.stringContaining("ECONNREFUSED"),
    todo: expect.stringContaining("POINTKEEPER_SMTP_URL"),
  });
  await service.stop();
});

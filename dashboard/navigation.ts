import type { ReactNode } from "react";
import type { Permission } from "../src/staff/permissions.ts";
import { ApprovalsMark } from "./ui/approvals-mark.tsx";
import {
  AuditIcon,
  CredentialsIcon,
  CustomersIcon,
  HomeIcon,
  IntakeIcon,
  JobsIcon,
  LedgerIcon,
  OrdersIcon,
  PeopleIcon,
  ProgramIcon,
  TransferIcon,
  WebhooksIcon,
} from "./ui/icons.tsx";

/** A page in the navigation: its path below /admin, its name in both languages, and who may see it. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: { readonly en: string; readonly ja: string };
  readonly permission: Permission;
  readonly icon: () => ReactNode;
}

/** Groups stand apart by a hairline, in this order. */
export const NAVIGATION: readonly (readonly NavigationEntry[])[] = [
  [
    { path: "/", label: { en: "Home", ja: "ホーム" }, permission: "view", icon: HomeIcon },
    { path: "/customers", label: { en: "Customers", ja: "会員" }, permission: "view", icon: CustomersIcon },
    { path: "/ledger", label: { en: "Ledger", ja: "ポイント履歴" }, permission: "view", icon: LedgerIcon },
    { path: "/orders", label: { en: "Orders", ja: "注文" }, permission: "view", icon: OrdersIcon },
    { path: "/approvals", label: { en: "Approvals", ja: "承認" }, permission: "view", icon: ApprovalsMark },
  ],
  [
    { path: "/program", label: { en: "Program", ja: "プログラム設定" }, permission: "view", icon: ProgramIcon },
    { path: "/csv", label: { en: "Imports & exports", ja: "CSV入出力" }, permission: "view", icon: TransferIcon },
  ],
  [
    { path: "/webhooks", label: { en: "Webhooks", ja: "Webhook" }, permission: "view", icon: WebhooksIcon },
    {
      path: "/credentials",
      label: { en: "Credentials", ja: "API認証情報" },
      permission: "credentials.manage",
      icon: CredentialsIcon,
    },
    { path: "/people", label: { en: "People", ja: "スタッフ" }, permission: "people.manage", icon: PeopleIcon },
    { path: "/audit", label: { en: "Audit log", ja: "操作履歴" }, permission: "audit.view", icon: AuditIcon },
    { path: "/jobs", label: { en: "Jobs", ja: "定期処理" }, permission: "view", icon: JobsIcon },
    { path: "/intake", label: { en: "Intake", ja: "受信データ" }, permission: "view", icon: IntakeIcon },
  ],
];

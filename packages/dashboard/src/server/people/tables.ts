/** Tables of the people who sign in. Secrets are hashed or encrypted: a copy of the database opens nothing. */
import type { Migration } from "@paymux/core/store"

const tables = (number: string, integer: string, boolean: string) => [
  // `totp_step`: the time step of the last code that was accepted. A code is accepted once.
  `CREATE TABLE paymux_users (
    number ${number},
    id text NOT NULL UNIQUE,
    email text NOT NULL,
    password text,
    totp text,
    totp_pending text,
    totp_step ${integer} NOT NULL DEFAULT -1,
    oidc_issuer text,
    oidc_subject text,
    created_at ${integer} NOT NULL,
    signed_in_at ${integer})`,
  "CREATE UNIQUE INDEX paymux_users_by_email ON paymux_users (email) WHERE oidc_subject IS NULL",
  "CREATE UNIQUE INDEX paymux_users_by_subject ON paymux_users (oidc_issuer, oidc_subject)",
  "CREATE INDEX paymux_users_by_time ON paymux_users (created_at, number)",
  // `account` is empty for every account: no account has that name.
  `CREATE TABLE paymux_memberships (
    user_id text NOT NULL REFERENCES paymux_users (id),
    account text NOT NULL,
    livemode ${boolean} NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (user_id, account, livemode))`,
  "CREATE INDEX paymux_memberships_by_role ON paymux_memberships (account, livemode, role)",
  `CREATE TABLE paymux_recovery_codes (
    user_id text NOT NULL REFERENCES paymux_users (id),
    hash text NOT NULL,
    PRIMARY KEY (user_id, hash))`,
  // `subject`: the email address of an invitation, otherwise the id of a user.
  `CREATE TABLE paymux_one_time_tokens (
    hash text NOT NULL PRIMARY KEY,
    purpose text NOT NULL,
    subject text NOT NULL,
    data_json text NOT NULL,
    created_by text NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    used_at ${integer},
    used_by text)`,
  "CREATE INDEX paymux_one_time_tokens_by_subject ON paymux_one_time_tokens (purpose, subject)",
  "CREATE INDEX paymux_one_time_tokens_by_end ON paymux_one_time_tokens (expires_at)",
  // `user_id` is null for a session of the sandbox's link. `second_factor`: whether a code was right in this session.
  `CREATE TABLE paymux_sessions (
    hash text NOT NULL PRIMARY KEY,
    user_id text REFERENCES paymux_users (id),
    method text NOT NULL,
    created_at ${integer} NOT NULL,
    last_seen_at ${integer} NOT NULL,
    authenticated_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    second_factor ${boolean} NOT NULL,
    address text,
    user_agent text)`,
  "CREATE INDEX paymux_sessions_by_user ON paymux_sessions (user_id)",
  "CREATE INDEX paymux_sessions_by_end ON paymux_sessions (expires_at)",
  `CREATE TABLE paymux_sign_in_limits (
    name text NOT NULL PRIMARY KEY,
    tries ${integer} NOT NULL,
    started_at ${integer} NOT NULL)`,
  "CREATE INDEX paymux_sign_in_limits_by_time ON paymux_sign_in_limits (started_at)"
]

export const peopleTables: Omit<Migration, "id"> = {
  name: "people",
  sqlite: tables("INTEGER PRIMARY KEY", "integer", "integer").map((statement) =>
    statement.startsWith("CREATE TABLE") ? `${statement} STRICT` : statement
  ),
  pg: tables("bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "bigint", "boolean"),
  compatibleWith: 1
}

/** Coinbase's words, written from what is published, and not from the adapter. */

/** `error.code` of an authorization that failed. */
export const declineCodes = ["insufficient_funds", "authorization_expired", "invalid_signature"]

/** `errorType` of the specification. */
export const errorTypes = (
  "already_exists authorization_expired bad_gateway capture_expired client_closed_request customer_not_authorized " +
  "endpoint_unavailable faucet_limit_exceeded forbidden idempotency_error internal_server_error invalid_request " +
  "invalid_sql_query invalid_signature malformed_transaction not_found payment_method_required payment_required " +
  "settlement_failed rate_limit_exceeded request_canceled service_unavailable timed_out unauthorized " +
  "unsupported_tos_language policy_violation policy_in_use account_limit_exceeded network_not_tradable " +
  "guest_permission_denied guest_region_forbidden guest_transaction_limit guest_transaction_count " +
  "phone_number_verification_expired otp_verification_code_invalid otp_verification_destination_mismatch " +
  "otp_verification_expired otp_verification_invalid otp_verification_not_found otp_verification_required " +
  "document_verification_failed recipient_allowlist_violation recipient_allowlist_pending refund_expired " +
  "travel_rules_recipient_violation source_account_invalid target_account_invalid source_account_not_found " +
  "target_account_not_found source_asset_not_supported target_asset_not_supported target_email_invalid " +
  "target_onchain_address_invalid transfer_amount_invalid transfer_asset_not_supported transfer_quote_expired " +
  "insufficient_balance metadata_too_many_entries metadata_key_too_long metadata_value_too_long " +
  "travel_rules_field_missing asset_mismatch mfa_already_enrolled mfa_invalid_code mfa_flow_expired mfa_required " +
  "mfa_not_enrolled order_quote_expired order_already_filled order_already_canceled account_not_ready " +
  "insufficient_liquidity insufficient_allowance transaction_simulation_failed delegation_not_found delegation_expired " +
  "delegation_revoked delegation_not_authorized delegation_not_enabled network_mismatch already_enabled " +
  "payment_session_already_canceled payment_session_already_authorized payment_session_action_pending " +
  "no_capturable_balance no_voidable_balance no_refundable_balance entity_not_configured_for_payment_acceptance " +
  "daily_transaction_limit_exceeded daily_amount_limit_exceeded stale_attestation moderation_rejected"
).split(" ")

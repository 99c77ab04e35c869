package solana

// Invalid says why a payment is refused, in x402's words.
type Invalid struct {
	Code   string // of x402, for the client's program
	Detail string // for the person who reads its log
}

func (e *Invalid) Error() string { return e.Code + ": " + e.Detail }

// The codes of x402's exact scheme on Solana, as its reference facilitator
// (@x402/svm 2.27.0) spells them.
const (
	CodeUndecodable          = "invalid_exact_svm_payload_transaction_could_not_be_decoded"
	CodeLookupTables         = "invalid_exact_svm_smart_wallet_alt_resolution_not_available"
	CodeSigners              = "invalid_exact_svm_payload_excessive_signers"
	CodeSignature            = "invalid_exact_svm_payload_signature_invalid"
	CodeFeePayer             = "invalid_exact_svm_fee_payer_mismatch"
	CodeFeePayerNotIsolated  = "invalid_exact_svm_smart_wallet_fee_payer_not_isolated"
	CodeFeePayerTransferring = "invalid_exact_svm_payload_transaction_fee_payer_transferring_funds"
	CodeInstructions         = "invalid_exact_svm_payload_transaction_instructions_length"
	CodeLimit                = "invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction"
	CodeLimitTooHigh         = "invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high"
	CodePrice                = "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction"
	CodePriceTooHigh         = "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high"
	CodeTransfer             = "invalid_exact_svm_payload_no_transfer_instruction"
	CodeMint                 = "invalid_exact_svm_payload_mint_mismatch"
	CodeRecipient            = "invalid_exact_svm_payload_recipient_mismatch"
	CodeAmount               = "invalid_exact_svm_payload_amount_mismatch"
	CodeFourth               = "invalid_exact_svm_payload_unknown_fourth_instruction"
	CodeFifth                = "invalid_exact_svm_payload_unknown_fifth_instruction"
	CodeSixth                = "invalid_exact_svm_payload_unknown_sixth_instruction"
	CodeSeventh              = "invalid_exact_svm_payload_unknown_seventh_instruction"
	CodeMemoCount            = "invalid_exact_svm_payload_memo_count"
	CodeMemo                 = "invalid_exact_svm_payload_memo_mismatch"
	CodeSimulation           = "invalid_exact_svm_transaction_simulation_failed"
)

func undecodable(detail string) error { return &Invalid{CodeUndecodable, detail} }

; A vault that lets a deposit pass only while its asset has a fresh rating of at least a band: the check of docs/proofs.md as a
; program of Solana, without Rust and without a syscall. An example; nobody audited it. It counts deposits in place of moving funds.
;
; A transaction has an instruction of the Ed25519 precompile with the record, and right after it one of this program:
;   accounts  0 state (writable, owned by this program), 1 sysvar of instructions, 2 sysvar of the clock
;   data      one byte: 0 deposit, 1 take notice of a revocation
; State, 136 bytes, integers little-endian:
;   0 key of the service (32), 32 genesis hash (32), 64 asset (32), 96 worst band (8), 104 least trust in tenths (8),
;   112 oldest age in milliseconds (8), 120 earlier records are void, milliseconds (8), 128 deposits (8)
;
; Errors: 1 accounts, 2 no instruction before this one, 3 it is not the precompile's, 4 its layout, 5 key, 6 kind of message,
; 7 cluster, 8 asset, 9 band, 10 trust, 11 void (replaced, revoked, or older than one that was shown), 12 from the future,
; 13 expired, 14 too old, 15 instruction data

.globl entrypoint
entrypoint:
  ldxdw r2, [r1+0]
  jne r2, 3, accounts
; r6: state
  mov64 r6, r1
  add64 r6, 8
  ldxb r2, [r6+0]
  jne r2, 255, accounts
  ldxdw r2, [r6+80]
  jne r2, 136, accounts
; r7: the sysvar of instructions. Each account is followed by 10,240 spare bytes, up to a multiple of 8, and a rent epoch.
  mov64 r7, r6
  add64 r7, 10472
  add64 r6, 88
  ldxb r2, [r7+0]
  jne r2, 255, accounts
  ldxdw r3, [r7+8]
  lddw r4, 0x66d17b1817d5a706
  jne r3, r4, accounts
  ldxdw r3, [r7+16]
  lddw r4, 0xc0c2fd5504d4da35
  jne r3, r4, accounts
  ldxdw r3, [r7+24]
  lddw r4, 0xa57556218fc624c1
  jne r3, r4, accounts
  ldxdw r3, [r7+32]
  lddw r4, 0x85fcbbadb
  jne r3, r4, accounts
; r8: the clock
  ldxdw r2, [r7+80]
  mov64 r8, r7
  add64 r8, 10335
  add64 r8, r2
  and64 r8, -8
  add64 r8, 8
  ldxb r2, [r8+0]
  jne r2, 255, accounts
  ldxdw r3, [r8+8]
  lddw r4, 0xc974c71817d5a706
  jne r3, r4, accounts
  ldxdw r3, [r8+16]
  lddw r4, 0xb65e1d6998635628
  jne r3, r4, accounts
  ldxdw r3, [r8+24]
  lddw r4, 0x5c6d4b9ba3b85e8b
  jne r3, r4, accounts
  ldxdw r3, [r8+32]
  lddw r4, 0x215b5573
  jne r3, r4, accounts
  ldxdw r2, [r8+80]
  jne r2, 40, accounts
; r9: what is asked for
  mov64 r9, r8
  add64 r9, 10376
  ldxdw r2, [r9+0]
  jne r2, 1, request
  ldxb r9, [r9+8]
; r8: seconds since the epoch
  ldxdw r8, [r8+120]
; The instruction before this one: its place is in the list of offsets; the list ends with the number of the present one.
  ldxdw r2, [r7+80]
  add64 r7, 88
  mov64 r3, r7
  add64 r3, r2
  ldxh r4, [r3-2]
  jeq r4, 0, none_before
  sub64 r4, 1
  lsh64 r4, 1
  mov64 r3, r7
  add64 r3, r4
  ldxh r4, [r3+2]
  add64 r7, r4
  ldxh r2, [r7+0]
  jne r2, 0, layout
  ldxdw r3, [r7+2]
  lddw r4, 0xbefb937cd6467d03
  jne r3, r4, not_precompile
  ldxdw r3, [r7+10]
  lddw r4, 0xff408d838f42f912
  jne r3, r4, not_precompile
  ldxdw r3, [r7+18]
  lddw r4, 0x648af42749747005
  jne r3, r4, not_precompile
  ldxdw r3, [r7+26]
  lddw r4, 0x804470cafc
  jne r3, r4, not_precompile
; r7: its data. One signature, and all three indices 0xffff: key, signature and message are those of this very instruction.
  ldxh r2, [r7+34]
  add64 r7, 36
  ldxdw r3, [r7+0]
  lddw r4, 0x0010ffff00300001
  jne r3, r4, layout
  jeq r9, 0, deposit
  jeq r9, 1, revoke
request:
  mov64 r0, 15
  exit

deposit:
  jne r2, 248, layout
  ldxdw r3, [r7+8]
  lddw r4, 0xffff00880070ffff
  jne r3, r4, layout
  ldxdw r3, [r7+16]
  ldxdw r4, [r6+0]
  jne r3, r4, key
  ldxdw r3, [r7+24]
  ldxdw r4, [r6+8]
  jne r3, r4, key
  ldxdw r3, [r7+32]
  ldxdw r4, [r6+16]
  jne r3, r4, key
  ldxdw r3, [r7+40]
  ldxdw r4, [r6+24]
  jne r3, r4, key
  ldxdw r3, [r7+112]
  lddw r4, 0x61722e7961737361
  jne r3, r4, kind
  ldxdw r3, [r7+120]
  lddw r4, 0x0031762e676e6974
  jne r3, r4, kind
  ldxdw r3, [r7+128]
  ldxdw r4, [r6+32]
  jne r3, r4, cluster
  ldxdw r3, [r7+136]
  ldxdw r4, [r6+40]
  jne r3, r4, cluster
  ldxdw r3, [r7+144]
  ldxdw r4, [r6+48]
  jne r3, r4, cluster
  ldxdw r3, [r7+152]
  ldxdw r4, [r6+56]
  jne r3, r4, cluster
  ldxdw r3, [r7+160]
  ldxdw r4, [r6+64]
  jne r3, r4, asset
  ldxdw r3, [r7+168]
  ldxdw r4, [r6+72]
  jne r3, r4, asset
  ldxdw r3, [r7+176]
  ldxdw r4, [r6+80]
  jne r3, r4, asset
  ldxdw r3, [r7+184]
  ldxdw r4, [r6+88]
  jne r3, r4, asset
  ldxb r3, [r7+192]
  ldxdw r4, [r6+96]
  jgt r3, r4, band
  ldxh r3, [r7+196]
  ldxdw r4, [r6+104]
  jlt r3, r4, trust
; r5: as_of in milliseconds, r2: now in milliseconds
  ldxdw r5, [r7+200]
  ldxdw r4, [r6+120]
  jlt r5, r4, void
  mov64 r2, r8
  mul64 r2, 1000
  jgt r5, r2, future
  ldxdw r4, [r7+208]
  jge r8, r4, expired
  mov64 r3, r2
  sub64 r3, r5
  ldxdw r4, [r6+112]
  jgt r3, r4, old
  stxdw [r6+120], r5
  ldxdw r3, [r6+128]
  add64 r3, 1
  stxdw [r6+128], r3
  mov64 r0, 0
  exit

revoke:
  jne r2, 200, layout
  ldxdw r3, [r7+8]
  lddw r4, 0xffff00580070ffff
  jne r3, r4, layout
  ldxdw r3, [r7+16]
  ldxdw r4, [r6+0]
  jne r3, r4, key
  ldxdw r3, [r7+24]
  ldxdw r4, [r6+8]
  jne r3, r4, key
  ldxdw r3, [r7+32]
  ldxdw r4, [r6+16]
  jne r3, r4, key
  ldxdw r3, [r7+40]
  ldxdw r4, [r6+24]
  jne r3, r4, key
  ldxdw r3, [r7+112]
  lddw r4, 0x65722e7961737361
  jne r3, r4, kind
  ldxdw r3, [r7+120]
  lddw r4, 0x0031762e656b6f76
  jne r3, r4, kind
  ldxdw r3, [r7+128]
  ldxdw r4, [r6+32]
  jne r3, r4, cluster
  ldxdw r3, [r7+136]
  ldxdw r4, [r6+40]
  jne r3, r4, cluster
  ldxdw r3, [r7+144]
  ldxdw r4, [r6+48]
  jne r3, r4, cluster
  ldxdw r3, [r7+152]
  ldxdw r4, [r6+56]
  jne r3, r4, cluster
  ldxdw r3, [r7+160]
  ldxdw r4, [r6+64]
  jne r3, r4, asset
  ldxdw r3, [r7+168]
  ldxdw r4, [r6+72]
  jne r3, r4, asset
  ldxdw r3, [r7+176]
  ldxdw r4, [r6+80]
  jne r3, r4, asset
  ldxdw r3, [r7+184]
  ldxdw r4, [r6+88]
  jne r3, r4, asset
; It only rises: a line that is brought again changes nothing.
  ldxdw r5, [r7+192]
  ldxdw r4, [r6+120]
  jle r5, r4, done
  stxdw [r6+120], r5
done:
  mov64 r0, 0
  exit

accounts:
  mov64 r0, 1
  exit
none_before:
  mov64 r0, 2
  exit
not_precompile:
  mov64 r0, 3
  exit
layout:
  mov64 r0, 4
  exit
key:
  mov64 r0, 5
  exit
kind:
  mov64 r0, 6
  exit
cluster:
  mov64 r0, 7
  exit
asset:
  mov64 r0, 8
  exit
band:
  mov64 r0, 9
  exit
trust:
  mov64 r0, 10
  exit
void:
  mov64 r0, 11
  exit
future:
  mov64 r0, 12
  exit
expired:
  mov64 r0, 13
  exit
old:
  mov64 r0, 14
  exit

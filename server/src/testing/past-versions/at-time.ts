// Loaded before a process: its clock goes on from TEST_TIME. What a past version left is as old as it was then, so
// that invitations, sessions and the like have not ended, however long the recording is kept.
const RealDate = Date
const ahead = RealDate.now() - RealDate.parse(process.env['TEST_TIME'] ?? '')
const now = (): number => RealDate.now() - ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], made): Date =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
  get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
})

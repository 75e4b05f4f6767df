-- Strings, patterns and formats.
local words = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words)
print(table.concat(words, ","))
print(("x = %5.2f, y = %-6d|, z = %q, h = %#x, %s"):format(3.14159, 42, "a\nb\0c", 255, tostring(nil)))
print(("hello world"):gsub("o", { o = "0" }), ("abc"):rep(3, "-"), ("abc"):reverse(), ("ABC"):lower())
print(("key = value # comment"):match("^(%w+)%s*=%s*(%w+)"))
print(("%d+%-[xyz]*"):find("%", 1, true), ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"))
for p, c in utf8.codes("aé€😀") do io.write(p, ":", c, " ") end
print(utf8.len("aé€😀"), utf8.char(228, 8364, 0x1F600))
print(string.pack("<i4z", 77, "zero"):byte(1, -1))
print(tonumber("0x1p4"), tonumber("  12  "), tonumber("1e1"), tonumber("z", 36), tonumber("8", 8))
print(#string.dump(function() return 1 end) > 0, ("%s"):rep(3):format(1, 2.0, true))

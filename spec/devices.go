package spec

import (
	"strconv"
	"strings"
	"sync"
)

// Device is a well-known device as `device:` in browser names it: what a page can see of it.
type Device struct {
	Name      string
	Viewport  string // "393x659"
	Scale     float64
	Mobile    bool
	Touch     bool
	UserAgent string
}

// FindDevice gives a device by its name. Case counts: a near miss is suggested and never taken.
func FindDevice(name string) (Device, bool) {
	for _, d := range devices() {
		if d.Name == name {
			return d, true
		}
	}
	return Device{}, false
}

// DeviceNames lists the devices in the order of the table; a phone or tablet stands there upright and as "NAME landscape".
func DeviceNames() []string {
	list := devices()
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

// devices reads the table when the first suite names a device, not when the program starts.
var devices = sync.OnceValue(func() []Device {
	var out []Device
	for line := range strings.SplitSeq(strings.TrimSpace(deviceTable), "\n") {
		f := strings.Split(line, "|")
		d := Device{Name: f[0], Viewport: f[1], Mobile: f[2] != "", Touch: f[2] != "", UserAgent: agentOf(f[4])}
		d.Scale, _ = strconv.ParseFloat(f[3], 64) // the table's own: a test reads every line
		out = append(out, d)
		if f[2] != "" {
			d.Name, d.Viewport = f[0]+" landscape", f[2]
			out = append(out, d)
		}
	}
	return out
})

// agentOf spells the user agent out that a line of the table names by its parts.
func agentOf(code string) string {
	sort, rest, _ := strings.Cut(code, " ")
	const linux, windows = "Mozilla/5.0 (Linux; Android ", "Mozilla/5.0 (Windows NT 10.0; Win64; x64"
	const blink, gecko = ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + chromeVersion, " (KHTML, like Gecko) Version/" + safariVersion
	switch sort {
	case "phone":
		return linux + rest + blink + " Mobile Safari/537.36"
	case "tablet":
		return linux + rest + blink + " Safari/537.36"
	case "chrome":
		return windows + blink + " Safari/537.36"
	case "edge":
		return windows + blink + " Safari/537.36 Edg/" + chromeVersion
	case "safari":
		return "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15" + gecko + " Safari/605.1.15"
	}
	system := "iPhone; CPU iPhone OS "
	if sort == "iPad" {
		system = "iPad; CPU OS "
	}
	parts := append(strings.Fields(rest), "605.1.15", "15E148", "604.1")
	if len(parts) > 4 { // the line has its own
		parts = parts[:4]
	}
	return "Mozilla/5.0 (" + system + parts[0] + " like Mac OS X) AppleWebKit/" + parts[1] + gecko + " Mobile/" + parts[2] +
		" Safari/" + parts[3]
}

// The versions that the user agents name: those of the driver this table was read from.
const (
	chromeVersion = "156.0.0.0"
	safariVersion = "27.2"
)

// deviceTable has a line per device: name, viewport, viewport in landscape (of what has a touch screen), device pixels
// per CSS pixel, and the parts of its user agent. The figures are those of Playwright's devices.
const deviceTable = `
Galaxy S8|360x740|740x360|3|phone 7.0; SM-G950U Build/NRD90M
Galaxy S9+|320x658|658x320|4.5|phone 8.0.0; SM-G965U Build/R16NW
Galaxy S24|360x780|780x360|3|phone 14; SM-S921U
Galaxy A55|480x1040|1040x480|2.25|phone 14; SM-A556B
Galaxy Tab S4|712x1138|1138x712|2.25|tablet 8.1.0; SM-T837A
Galaxy Tab S9|640x1024|1024x640|2.5|tablet 14; SM-X710
iPad (gen 5)|768x1024|1024x768|2|iPad 12_2
iPad (gen 6)|768x1024|1024x768|2|iPad 12_2
iPad (gen 7)|810x1080|1080x810|2|iPad 12_2
iPad (gen 11)|656x944|944x656|2.5|iPad 18_5 605.1.15 19E241 604.1
iPad Mini|768x1024|1024x768|2|iPad 12_2
iPad Pro 11|834x1194|1194x834|2|iPad 12_2
iPhone 8|375x667|667x375|2|iPhone 11_0 604.1.38 15A372 604.1
iPhone 8 Plus|414x736|736x414|3|iPhone 11_0 604.1.38 15A372 604.1
iPhone SE|320x568|568x320|2|iPhone 10_3_1 603.1.30 14E304 602.1
iPhone SE (3rd gen)|375x667|667x375|2|iPhone 18_5 603.1.30 19E241 602.1
iPhone X|375x812|812x375|3|iPhone 11_0 604.1.38 15A372 604.1
iPhone XR|414x896|896x414|3|iPhone 12_0
iPhone 11|414x715|800x364|2|iPhone 12_2
iPhone 11 Pro|375x635|724x325|3|iPhone 12_2
iPhone 11 Pro Max|414x715|808x364|3|iPhone 12_2
iPhone 12|390x664|750x340|3|iPhone 14_4
iPhone 12 Pro|390x664|750x340|3|iPhone 14_4
iPhone 12 Pro Max|428x746|832x378|3|iPhone 14_4
iPhone 12 Mini|375x629|712x325|3|iPhone 14_4
iPhone 13|390x664|750x342|3|iPhone 15_0
iPhone 13 Pro|390x664|750x342|3|iPhone 15_0
iPhone 13 Pro Max|428x746|832x380|3|iPhone 15_0
iPhone 13 Mini|375x629|712x327|3|iPhone 15_0
iPhone 14|390x664|750x340|3|iPhone 16_0
iPhone 14 Plus|428x746|832x378|3|iPhone 16_0
iPhone 14 Pro|393x660|734x343|3|iPhone 16_0
iPhone 14 Pro Max|430x740|814x380|3|iPhone 16_0
iPhone 15|393x659|734x343|3|iPhone 17_5
iPhone 15 Plus|430x739|814x380|3|iPhone 17_5
iPhone 15 Pro|393x659|734x343|3|iPhone 17_5
iPhone 15 Pro Max|430x739|814x380|3|iPhone 17_5
iPhone 16|393x659|734x343|3|iPhone 18_7
iPhone 16 Plus|430x739|814x380|3|iPhone 18_7
iPhone 16 Pro|402x681|756x352|3|iPhone 18_7
iPhone 16 Pro Max|440x763|838x390|3|iPhone 18_7
iPhone 16e|390x651|726x340|3|iPhone 18_7
iPhone 17|402x681|756x352|3|iPhone 18_7
iPhone Air|420x719|794x370|3|iPhone 18_7
iPhone 17 Pro|402x681|756x352|3|iPhone 18_7
iPhone 17 Pro Max|440x763|838x390|3|iPhone 18_7
iPhone 17e|390x651|726x340|3|iPhone 18_7
Pixel 5|393x727|802x293|2.75|phone 11; Pixel 5
Pixel 6|412x839|863x360|2.625|phone 12; Pixel 6
Pixel 6 Pro|412x816|840x360|3.5|phone 12; Pixel 6 Pro
Pixel 6a|412x839|863x360|2.625|phone 12; Pixel 6a
Pixel 7|412x839|863x360|2.625|phone 14; Pixel 7
Pixel 7 Pro|412x816|840x360|3.5|phone 13; Pixel 7 Pro
Pixel 7a|412x839|863x360|2.625|phone 13; Pixel 7a
Pixel 8|412x839|863x360|2.625|phone 14; Pixel 8
Pixel 8 Pro|448x921|945x396|3|phone 14; Pixel 8 Pro
Pixel 8a|412x839|863x360|2.625|phone 14; Pixel 8a
Pixel 9|360x732|756x308|3|phone 14; Pixel 9
Pixel 9 Pro|427x876|900x375|3|phone 14; Pixel 9 Pro
Pixel 9 Pro XL|448x921|945x396|3|phone 14; Pixel 9 Pro XL
Pixel 10|360x732|756x308|3|phone 16; Pixel 10
Pixel 10 Pro|427x876|900x375|3|phone 16; Pixel 10 Pro
Pixel 10 Pro XL|448x921|945x396|3|phone 16; Pixel 10 Pro XL
Desktop Chrome HiDPI|1280x720||2|chrome
Desktop Edge HiDPI|1280x720||2|edge
Desktop Safari|1280x720||2|safari
Desktop Chrome|1280x720||1|chrome
Desktop Edge|1280x720||1|edge
`
